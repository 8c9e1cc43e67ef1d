import type { Controller } from '../index.js';
import { scriptElement, type StateScriptOptions } from './serializeState.js';
import { stateSource } from './source.js';

/**
 * The start of a page, before the first script. A page must begin with its doctype, and browsers
 * look for a charset only in the first 1,024 bytes. React escapes `>`, so the first `>` ends a tag.
 */
const PROLOGUE =
  /^\s*(?:<!doctype[^>]*>\s*)?(?:<html[^>]*>\s*)?(?:<head[^>]*>\s*)?(?:<meta charset=[^>]*>)?/i;

const encoder = new TextEncoder();
// Each byte becomes one character, so text offsets are byte offsets.
const decoder = new TextDecoder('latin1');

/**
 * Inserts data scripts (`▲`) into the HTML that React streams. React writes in batches. A batch
 * never ends inside a tag, so a script can precede a batch. In the first batch, the script follows
 * the prologue:
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
    // Checks the options before the page begins.
    scriptElement('', options);
  }

  add(part: Uint8Array): void {
    this.#parts.push(part);
  }

  /** A piece may end anywhere, but a batch ends with a tag. */
  get mayBeWhole(): boolean {
    return this.#parts.at(-1)?.at(-1) === CLOSE;
  }

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
