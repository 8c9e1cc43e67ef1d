import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { isOwnText } from '../schema/identityText.js';
import type { StrayDetector } from '../schema/tooManyEndpointsHook.js';

/** The maximum number of consecutive requests to new endpoints, each right after a response. */
const MOST = 50;

/** Milliseconds: a request so soon after a response probably comes from the following render. */
const AT_ONCE = 100;

interface Requests {
  respondedAt: number;
  hasResponded: boolean;
  inRow: number;
}

const counted = new WeakMap<object, Requests>();

function requestsOf(owner: object): Requests {
  const requests = counted.get(owner) ?? { respondedAt: 0, hasResponded: false, inRow: 0 };
  counted.set(owner, requests);
  return requests;
}

/**
 * Detects a function endpoint that is created during render. Each new endpoint has its own cache
 * key, so the component would fetch forever:
 *
 * ```
 *   render ──▶ another endpoint ──▶ request ──▶ response ──▶ render ──▶ …
 * ```
 */
export const detector: StrayDetector = {
  noteEnd(owner, key) {
    if (isOwnText(key)) {
      Object.assign(requestsOf(owner), {
        respondedAt: owner.environment.now(),
        hasResponded: true,
      });
    }
  },

  begin(owner, { name }, { key, start }) {
    // Responses, writes and invalidations set `start`, so only a result with the start 0 is new.
    if (start > 0 || !isOwnText(key)) {
      return;
    }
    const requests = requestsOf(owner);
    // `hasResponded` makes several requests after one response count as one, for example the
    // requests of all rows of a list.
    if (owner.environment.now() - requests.respondedAt > AT_ONCE) {
      requests.inRow = 0;
    } else if (requests.hasResponded) {
      requests.inRow += 1;
    }
    requests.hasResponded = false;
    if (requests.inRow > MOST) {
      throw new RestitchError(
        'too-many-endpoints',
        isDevelopment
          ? `${name || 'An endpoint'}: each render fetches from another endpoint. Declare endpoints outside of components, or give them a \`key\`.`
          : name,
      );
    }
  },
};
