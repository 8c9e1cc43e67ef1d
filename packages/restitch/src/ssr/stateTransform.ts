import { Transform, type TransformCallback } from 'node:stream';
import type { Controller } from '../index.js';
import { Batches } from './Batches.js';
import type { StateScriptOptions } from './serializeState.js';

declare global {
  // The interface is declared here, because a program for the browser may lack the types of Node.
  namespace NodeJS {
    interface ReadWriteStream {}
  }
}

/**
 * Returns a Node stream for React's HTML (`renderToPipeableStream`). The stream inserts scripts
 * with the data from which the HTML was rendered. Each script stands before the HTML that uses its
 * data. Pipe React's output directly into this stream, so that React calls `flush` at the end of
 * each batch.
 *
 * @example
 * ```tsx
 * import type { ServerResponse } from 'node:http';
 * import type { ReactNode } from 'react';
 * import { renderToPipeableStream } from 'react-dom/server';
 * import { Controller } from 'restitch';
 * import { DataProvider } from 'restitch/react';
 * import { stateTransform } from 'restitch/ssr';
 *
 * export function render(app: ReactNode, response: ServerResponse): void {
 *   const controller = new Controller();
 *   const html = stateTransform(controller);
 *   const { pipe, abort } = renderToPipeableStream(
 *     <DataProvider controller={controller}>{app}</DataProvider>,
 *     {
 *       bootstrapModules: ['/client.js'],
 *       onShellReady() {
 *         response.setHeader('content-type', 'text/html; charset=utf-8');
 *         html.pipe(response);
 *         pipe(html);
 *       },
 *     },
 *   );
 *   response.on('close', () => {
 *     abort();
 *     controller.dispose();
 *   });
 * }
 * ```
 */
export function stateTransform(
  controller: Controller,
  options: StateScriptOptions = {},
): NodeJS.ReadWriteStream {
  return new StateTransform(new Batches(controller, options));
}

class StateTransform extends Transform {
  readonly #batches: Batches;
  #timer: NodeJS.Immediate | undefined;

  constructor(batches: Batches) {
    super();
    this.#batches = batches;
  }

  /** React calls `flush` after each batch, as on a compression stream. */
  flush(): void {
    clearImmediate(this.#timer);
    for (const part of this.#batches.take()) {
      this.push(part);
    }
  }

  override _transform(part: Uint8Array, _: BufferEncoding, done: TransformCallback): void {
    this.#batches.add(part);
    // The timer is for sources that never call `flush`.
    clearImmediate(this.#timer);
    this.#timer = setImmediate(() => {
      if (this.#batches.mayBeWhole && !this.destroyed) {
        try {
          this.flush();
        } catch (error) {
          // The cast: `flush` exports the state, which throws only `Error` objects.
          this.destroy(error as Error);
        }
      }
    });
    done();
  }

  override _flush(done: TransformCallback): void {
    this.flush();
    done();
  }
}
