import type { NetworkError } from '../errors/NetworkError.js';
import { isJson, isText, typeOf } from './content.js';

/** Bytes up to which the body of a failed response is read and kept. */
const LONGEST_BODY = 65_536;

/**
 * Reads the body of a failed response once, which frees its connection, and gives it to the error.
 *
 * @remarks A longer body is released. `error.response` can be read in either case; after a long body it is empty.
 */
export async function withBody(
  error: NetworkError,
  signal: AbortSignal | null | undefined,
): Promise<NetworkError> {
  const { response } = error;
  if (error.body !== undefined || response.bodyUsed) return error;
  try {
    // React Native has no streams: there the body has arrived already.
    const reader = response.clone().body?.getReader();
    for (let bytes = 0; reader;) {
      const { done, value } = await reader.read();
      if (done) break;
      bytes += value.length;
      if (bytes > LONGEST_BODY) {
        // Together: neither half of the clone is released without the other.
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
    // A text that only claims to be JSON, or a connection that broke. An abort ends the request.
    if (signal?.aborted) throw failure;
  }
  return error;
}
