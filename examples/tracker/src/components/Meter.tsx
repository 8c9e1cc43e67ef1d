import { useIsMutating } from 'restitch/react';
import { meter, resetMeter, type CountedRequest } from '../state/meter.js';
import { switches } from '../state/switches.js';
import { Comparison } from './Comparison.js';

/** The footer: what the page has cost so far, and two switches that make the network worse. */
export function Meter() {
  const { log } = meter.useValue();
  return (
    <footer className="meter" aria-label="What the page costs">
      <Comparison />
      <button type="button" className="button" onClick={resetMeter}>
        Reset
      </button>
      <Saving />
      <button
        type="button"
        className="last-request"
        popoverTarget="request-log"
        title="All requests"
      >
        {log[0] ? <RequestLine request={log[0]} /> : 'No request yet'}
      </button>
      <div id="request-log" className="popup request-log" popover="auto">
        <h2>Last requests</h2>
        <ol>
          {log.map((request) => (
            <li key={request.number}>
              <RequestLine request={request} />
            </li>
          ))}
        </ol>
      </div>
      <Switches />
    </footer>
  );
}

/** The number of changes that the server has not confirmed, deletes that can be undone included. */
function Saving() {
  const count = useIsMutating();
  if (count === 0) return null;
  return (
    <span className="pending">
      <span className="spinner" aria-hidden="true" />
      <span className="pending-text">
        {count === 1 ? '1 change' : `${count} changes`} to confirm
      </span>
    </span>
  );
}

function RequestLine({ request: { method, url, status, duration } }: { request: CountedRequest }) {
  return (
    <span className="request-line">
      <b data-method={method}>{method}</b> <span className="url">{url}</span>{' '}
      <span className="outcome" data-failed={status !== undefined && !status.startsWith('2')}>
        {status === undefined ? '…' : `${status} · ${Math.round(duration ?? 0)} ms`}
      </span>
    </span>
  );
}

function Switches() {
  const { latency, failureRate } = switches.useValue();
  return (
    <div className="switches" role="group" aria-label="Network">
      <label>
        Latency
        <input
          type="range"
          min="0"
          max="3000"
          step="100"
          value={latency}
          onChange={(event) =>
            switches.set({ ...switches.get(), latency: event.currentTarget.valueAsNumber })
          }
        />
        <output>{(latency / 1000).toFixed(1)} s</output>
      </label>
      <label>
        Failures
        <input
          type="range"
          min="0"
          max="100"
          step="10"
          value={failureRate}
          onChange={(event) =>
            switches.set({ ...switches.get(), failureRate: event.currentTarget.valueAsNumber })
          }
        />
        <output>{failureRate} %</output>
      </label>
    </div>
  );
}
