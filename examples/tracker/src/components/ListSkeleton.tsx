const widths = ['62%', '48%', '71%', '55%', '66%', '43%', '58%'];

export function ListSkeleton() {
  return (
    <ul className="rows skeleton-rows" aria-busy="true" aria-label="Loading issues">
      {Array.from({ length: 24 }, (_, index) => (
        <li className="row" key={index}>
          <span style={{ width: widths[index % widths.length] }} />
        </li>
      ))}
    </ul>
  );
}
