import { hideToast, holdToast, startTimer, toasts, undoToast } from '../state/toasts.js';
import { Glyph } from './icons.js';

/**
 * Messages about what was done or failed. Always in the page, so that screen readers announce what appears in it. A message stays
 * while the pointer or the focus is in it.
 */
export function Toasts() {
  return (
    <div className="toasts" role="status" aria-label="Messages">
      {toasts.useValue().map(({ number, message, undo }) => (
        <div
          className="toast"
          key={number}
          data-failed={undo === undefined}
          onPointerEnter={() => holdToast(number)}
          onPointerLeave={() => startTimer(number)}
          onFocus={() => holdToast(number)}
          onBlur={() => startTimer(number)}
        >
          {message}
          {undo && (
            <button type="button" className="button" onClick={() => undoToast(number)}>
              Undo <kbd>Ctrl Z</kbd>
            </button>
          )}
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss"
            onClick={() => hideToast(number)}
          >
            <Glyph name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
