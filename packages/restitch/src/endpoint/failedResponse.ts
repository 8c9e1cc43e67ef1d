import type { NetworkError } from '../errors/NetworkError.js';
import { isJson, isText, typeOf } from './content.js';

/** The maximum length in bytes of the stored body of a failed response. */
const LONGEST_BODY = 65_536;

/**
 * Reads the body of a failed response once, which frees its connection, and stores it in the error.
 *
 * @remarks A body over the limit is canceled. `error.response` can be read in both cases; after a
 * canceled body, it is empty.
 */
export async function withBody(
  error: NetworkError,
  signal: AbortSignal | null | undefined,
): Promise<NetworkError> {
  const { response } = error;
  if (error.body !== undefined || response.bodyUsed) return error;
  try {
    // React Native has no streams. There, the body has already arrived.
    const reader = response.clone().body?.getReader();
    for (let bytes = 0; reader;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > LONGEST_BODY) {
        // Both at once: canceling only one half of the clone releases neither.
        await Promise.all([reader.cancel(), response.body?.cancel()]);
        const { url } = response;
        error.response = Object.defineProperty(new Response(null, response), 'url', { value: url });
        return error;
      }
    }
    const type = typeOf(response);
    const text = await response.clone().text();
    error.body = (isText(type) && text) || undefined;
    if (isJson(type)) error.body = JSON.parse(text);
  } catch (failure) {
    // Other failures are ignored: invalid JSON, or a broken connection. An abort ends the request.
    if (signal?.aborted) throw failure;
  }
  return error;
}
