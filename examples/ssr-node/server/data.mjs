// @ts-check
/** The data of the API. Made anew for each server, as visitors change it. */
export function createData() {
  const authors = [
    { id: '1', name: 'Ada Lovelace', likes: 3 },
    { id: '2', name: 'Grace Hopper', likes: 5 },
  ];
  const [ada, grace] = authors;
  return {
    authors,
    books: [
      { id: '1', title: 'Notes on the Analytical Engine', author: ada },
      { id: '2', title: 'The Education of a Computer', author: grace },
    ],
    reviews: [
      { id: '1', text: 'A nanosecond is 30 centimeters', author: grace },
      { id: '2', text: 'It weaves algebraic patterns </script>', author: ada },
    ],
  };
}
