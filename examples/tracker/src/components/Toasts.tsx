import { hideToast, toasts } from '../state/toasts.js';
import { Glyph } from './icons.js';

/** Messages about what failed. Always in the page, so that screen readers hear of what appears in it. */
export function Toasts() {
  return (
    <div className="toasts" role="status">
      {toasts.useValue().map((toast) => (
        <div className="toast" key={toast.number}>
          {toast.message}
          <button
            type="button"
            className="icon-button"
            aria-label="Dismiss"
            onClick={() => hideToast(toast.number)}
          >
            <Glyph name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
