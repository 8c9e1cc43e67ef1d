/** A run as lines that a person can follow. */
import { answersNoRow } from './responses.js';
import { responseFor } from './library.js';
import { isFailure, isRead, type Ending, type Request, type Write } from './program.js';

export class Trace {
  readonly #lines: string[] = [];

  begin(id: number, request: Request): void {
    this.#lines.push(`${nameOf(id, request)} starts: ${JSON.stringify(request)}`);
  }

  settle(id: number, request: Request, ending: Ending): void {
    const response = isFailure(ending)
      ? `comes to nothing (${ending.how})`
      : `responds ${JSON.stringify(responseFor(request, ending))}`;
    this.#lines.push(
      `${nameOf(id, request)} ${response}${answersNoRow(request, ending) ? ' (no row)' : ''}`,
    );
  }

  write(write: Write): void {
    this.#lines.push(JSON.stringify(write));
  }

  batch(writes: readonly Write[]): void {
    this.#lines.push(`batch: ${writes.map((write) => JSON.stringify(write)).join('; ')}`);
  }

  note(text: string): void {
    this.#lines.push(text);
  }

  toString(): string {
    return this.#lines
      .map((line, index) => `  ${String(index + 1).padStart(2)}. ${line}`)
      .join('\n');
  }
}

function nameOf(id: number, request: Request): string {
  return `${isRead(request) ? 'R' : 'M'}${id}`;
}
