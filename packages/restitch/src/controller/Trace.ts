import {
  createHistory,
  type History,
  holdMoment,
  type Moment,
  releaseMoment,
} from '../store/history.js';
import type { Store } from '../store/state.js';

/**
 * Lets a binding show what was, while its framework prepares what is: React renders in the background what a transition wrote,
 * and a reader that is mounted meanwhile has to fit the screen. Only bindings need it.
 */
export interface Trace {
  /**
   * Called by an observer: holds the state before the write that it is being told of, the same object for all who are told of
   * it. Otherwise the present state.
   */
  hold(): Moment;
  /** The moment is no longer shown; it may be released twice. */
  release(moment: Moment): void;
  /** Ends the trace and releases its moments. */
  end(): void;
}

/** Begins a trace of whatever store is the present one. The store records nothing while there is none. */
export function beginTrace(store: () => Store): Trace {
  const held = new Map<Moment, () => void>();
  const release = (moment: Moment): void => {
    held.get(moment)?.();
    held.delete(moment);
  };
  const present = (): History => (store().history ??= createHistory(0));
  let last: Moment | undefined;
  let wasTelling = false;
  let isEnded = false;
  present().traces += 1;
  return {
    hold: () => {
      const history = present();
      const isSame = last?.commit === history.told && wasTelling === history.isTelling;
      if (last && isSame && history.moments.has(last)) {
        return last;
      }
      const moment = holdMoment(history);
      held.set(moment, () => releaseMoment(history, moment));
      last = moment;
      wasTelling = history.isTelling;
      return moment;
    },
    release,
    end: () => {
      if (isEnded) {
        return;
      }
      isEnded = true;
      for (const moment of held.keys()) {
        release(moment);
      }
      const history = present();
      history.traces -= 1;
      if (history.traces === 0) {
        store().history = undefined;
      }
    },
  };
}
