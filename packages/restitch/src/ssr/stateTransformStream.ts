import type { Controller } from '../index.js';
import { Batches } from './Batches.js';
import type { StateScriptOptions } from './serializeState.js';

/**
 * Returns a web stream for React's HTML (`renderToReadableStream`). The stream inserts scripts with
 * the data from which the HTML was rendered. Each script stands before the HTML that uses its data.
 *
 * @remarks React's stream does not mark the end of a batch, but writes each batch without a pause.
 * A batch has ended when nothing more arrives in the same turn of the event loop.
 *
 * @example
 * ```tsx
 * import type { ReactNode } from 'react';
 * import { renderToReadableStream } from 'react-dom/server';
 * import { Controller } from 'restitch';
 * import { DataProvider } from 'restitch/react';
 * import { stateTransformStream } from 'restitch/ssr';
 *
 * export async function render(app: ReactNode, nonce: string): Promise<Response> {
 *   const controller = new Controller();
 *   const html = await renderToReadableStream(
 *     <DataProvider controller={controller}>{app}</DataProvider>,
 *     { nonce, bootstrapModules: ['/client.js'] },
 *   );
 *   const page = html.pipeThrough(stateTransformStream(controller, { nonce }));
 *   return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
 * }
 * ```
 */
export function stateTransformStream(
  controller: Controller,
  options: StateScriptOptions = {},
): TransformStream<Uint8Array, Uint8Array> {
  const batches = new Batches(controller, options);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const send = (out: TransformStreamDefaultController<Uint8Array>): void => {
    clearTimeout(timer);
    for (const part of batches.take()) {
      out.enqueue(part);
    }
  };
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(part, out) {
      batches.add(part);
      clearTimeout(timer);
      timer = setTimeout(() => {
        // `desiredSize` is null after the stream has failed. The remaining pieces are then dropped.
        if (batches.mayBeWhole && out.desiredSize !== null) {
          try {
            send(out);
          } catch (error) {
            out.error(error);
          }
        }
      });
    },
    flush: send,
  });
}
