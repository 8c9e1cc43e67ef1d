import { costByUrl, isCompared, type Cost } from '../compare/cost.js';
import { runComparison } from '../compare/run.js';
import { meter, resetMeter } from '../state/meter.js';

/** The cost of the page so far, above that of a cache by URL, which runs along with it. */
export function Comparison() {
  const isRunning = isCompared.useValue();
  const byUrl = costByUrl.useValue();
  return (
    <>
      <div className="comparison">
        <span>This page</span>
        <Figures cost={meter.useValue()} />
        <button type="button" className="by-url" popoverTarget="by-url">
          TanStack Query
        </button>
        <Figures of="with a cache by URL" cost={isRunning ? byUrl : undefined} />
      </div>
      <div id="by-url" className="popup" popover="auto">
        <h2>What is compared</h2>
        <p>
          TanStack Query, a cache with an entry for each URL, runs along with this page. It shows
          the same screens in an element that is not visible: the same filters, as many pages of the
          list, the same rows, the same issue. It sends its own requests below <code>/by-url</code>,
          as the network panel shows. All figures are counted, none is calculated.
        </p>
        <ul>
          <li>Changes and the poll are sent once, and count for both.</li>
          <li>
            After a change, it stores the response in the entry of the record, and fetches again
            what is on the screen and holds other copies of it. It shows a change after the
            response. Showing it before, as this page does, would add renders.
          </li>
          <li>
            Data is fresh for 60 seconds in both. An equal row renders in neither. Latency and
            failures are for this page alone.
          </li>
          <li>“Received” is the size of all response bodies, without headers.</li>
        </ul>
        <label>
          <input
            type="checkbox"
            checked={isRunning}
            onChange={(event) => {
              runComparison(event.currentTarget.checked);
              resetMeter();
            }}
          />{' '}
          Run it
        </label>
      </div>
    </>
  );
}

function Figures({ of = '', cost }: { of?: string; cost: Cost | undefined }) {
  return (
    <>
      <Figure label={`requests ${of}`} unit="requests" value={cost?.requests} />
      <Figure label={`received ${of}`} unit="kB" value={cost && cost.bytes / 1000} />
      <Figure label={`row renders ${of}`} unit="renders" prefix="row" value={cost?.rowRenders} />
    </>
  );
}

/** Whole numbers, and small sizes with a decimal. */
const format = (value: number) =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

interface FigureProps {
  label: string;
  /** Left out on narrow screens. */
  prefix?: string;
  unit: string;
  value: number | undefined;
}

function Figure({ label, prefix, unit, value }: FigureProps) {
  return (
    <span className="figure">
      <output aria-label={label.trim()} aria-live="off" data-value={value}>
        {value === undefined ? '–' : format(value)}
      </output>{' '}
      {prefix && <span className="wide">{prefix} </span>}
      {unit}
    </span>
  );
}
