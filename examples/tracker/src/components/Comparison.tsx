import { costByUrl, isCompared } from '../compare/cacheByUrl.js';
import { meter } from '../state/meter.js';

/** What the page has cost so far, above what it would have cost with a cache by URL, which runs beside it. */
export function Comparison() {
  const { requests, rowRenders } = meter.useValue();
  const byUrl = costByUrl.useValue();
  const isRunning = isCompared.useValue();
  return (
    <>
      <div className="comparison">
        <span>This page</span>
        <Figure name="requests" value={requests} />
        <Figure name="row renders" value={rowRenders} />
        <button type="button" className="by-url" popoverTarget="by-url">
          A cache by URL
        </button>
        <Figure
          name="requests"
          of="with a cache by URL"
          value={isRunning ? requests + byUrl.requests : undefined}
        />
        <Figure
          name="row renders"
          of="with a cache by URL"
          value={isRunning ? byUrl.rowRenders : undefined}
        />
      </div>
      <div id="by-url" className="popup" popover="auto">
        <h2>How this is measured</h2>
        <p>
          A second cache runs beside this page. It has an entry for each URL, and gets the same
          responses. After a change it fetches again what is on the screen and holds a copy of the
          changed record: really, below <code>/by-url</code>, as the network panel shows. Entries
          that come back equal render nothing, and of a list only the rows that differ.
        </p>
        <label>
          <input
            type="checkbox"
            checked={isRunning}
            onChange={(event) => isCompared.set(event.currentTarget.checked)}
          />{' '}
          Run it
        </label>
      </div>
    </>
  );
}

function Figure({ name, of, value }: { name: string; of?: string; value: number | undefined }) {
  return (
    <span className="figure">
      <output aria-label={of ? `${name} ${of}` : name} aria-live="off">
        {value?.toLocaleString('en') ?? '–'}
      </output>{' '}
      {name}
    </span>
  );
}
