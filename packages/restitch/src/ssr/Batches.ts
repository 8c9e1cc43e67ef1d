import type { Controller } from '../index.js';
import { scriptElement, type StateScriptOptions } from './serializeState.js';
import { stateSource } from './source.js';

/**
 * What may come before the first script: moving any of it down would change how the page is read (without a doctype as one of
 * the last century; a charset counts in the first 1 024 bytes only). React escapes `>` in attributes.
 */
const PROLOGUE =
  /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>\s*)?(?:<meta charset=[^>]*>)?/i;

const encoder = new TextEncoder();
// One character for each byte, so that places in the text are places in the bytes.
const decoder = new TextDecoder('latin1');

/**
 * Puts data scripts into the HTML that React streams. React writes in batches; between two of them the HTML is complete, so
 * that a script may stand there:
 *
 * ```
 *   batch 1 (shell)                          batch 2 (a boundary)
 *   <!DOCTYPE html><html><head> ▲ …          ▲ <div hidden …>…</div><script>$RC(…)</script>
 *                               └ data of the shell
 *                                            └ data that was settled since
 * ```
 */
export class Batches {
  readonly #next: () => string;
  readonly #options: StateScriptOptions;
  #parts: Uint8Array[] = [];
  #isFirst = true;

  constructor(controller: Controller, options: StateScriptOptions) {
    this.#next = stateSource(controller);
    this.#options = options;
    // Says at once if an option is wrong, not in the middle of the page.
    scriptElement('', options);
  }

  /** Takes a piece of a batch. */
  add(part: Uint8Array): void {
    this.#parts.push(part);
  }

  /** Whether what was added could be whole elements: a piece may end anywhere, a batch ends with a tag. */
  get mayBeWhole(): boolean {
    return this.#parts.at(-1)?.at(-1) === CLOSE;
  }

  /** Ends the batch: gives what is to be sent, in order. */
  take(): Uint8Array[] {
    const parts = this.#parts;
    if (parts.length === 0) {
      return [];
    }
    this.#parts = [];
    const source = this.#next();
    const script = source === '' ? undefined : encoder.encode(scriptElement(source, this.#options));
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!script) {
      return parts;
    }
    if (!isFirst) {
      return [script, ...parts];
    }
    const batch = joined(parts);
    const end = PROLOGUE.exec(decoder.decode(batch))?.[0].length ?? 0;
    return [batch.subarray(0, end), script, batch.subarray(end)];
  }
}

/** The byte of `>`. */
const CLOSE = 0x3e;

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}
