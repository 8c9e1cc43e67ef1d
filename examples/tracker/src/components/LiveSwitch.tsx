import { useSubscription } from 'restitch/react';
import { getChanges } from '../api/changes.js';
import { POLL_PERIOD } from '../api/resources.js';
import { meter } from '../state/meter.js';
import { useNavigation } from '../state/place.js';

/** Turns polling on and off. */
export function LiveSwitch() {
  const { isLive, setLive } = useNavigation();
  return (
    <button
      type="button"
      className="live"
      role="switch"
      aria-checked={isLive}
      title={`Ask every ${POLL_PERIOD / 1000} seconds what other windows changed`}
      onClick={() => setLive(!isLive)}
    >
      {isLive ? <Polling /> : <Ring />}
      Live
    </button>
  );
}

/** Polls while it is shown. The ring fills until the next poll, and turns red after one that failed. */
function Polling() {
  useSubscription(getChanges);
  const last = meter.useValue().log.find(({ url, status }) => status && url.includes('/changes'));
  const isFailed = last?.status !== undefined && !last.status.startsWith('2');
  return <Ring key={last?.number} isFilling isFailed={isFailed} />;
}

function Ring({ isFilling = false, isFailed = false }) {
  return (
    <svg
      className="ring"
      viewBox="0 0 16 16"
      data-filling={isFilling}
      data-failed={isFailed}
      style={{ animationDuration: `${POLL_PERIOD}ms` }}
      aria-hidden="true"
    >
      <circle className="ring-track" cx="8" cy="8" r="5.5" />
      <circle className="ring-mark" cx="8" cy="8" r="5.5" pathLength="100" />
      <circle className="ring-dot" cx="8" cy="8" r="2.2" />
    </svg>
  );
}
