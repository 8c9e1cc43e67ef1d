import { endedError } from '../errors/aborts.js';

/** The options of endpoints that use `uploadTransport`. */
export interface Uploading {
  /** Called during the upload with the sent fraction: from 0 to 1. */
  readonly onProgress?: ((progress: number) => void) | undefined;
}

/**
 * Sends a request with XMLHttpRequest, which reports upload progress, unlike `fetch`. Pass it to an
 * endpoint as `send`.
 *
 * @remarks Headers, token renewal, retries and errors work as with `fetch`. With `onProgress`, a
 * browser sends a preflight request before an upload to another origin.
 *
 * XMLHttpRequest cannot send streams, so `fetch` sends them without progress. On a host without
 * XMLHttpRequest, such as Node, `fetch` sends all requests.
 *
 * @example
 * ```ts
 * import { RestEndpoint, uploadTransport } from 'restitch';
 *
 * const upload = new RestEndpoint({
 *   path: '/files',
 *   method: 'POST',
 *   body: {} as FormData,
 *   send: uploadTransport,
 *   onProgress: (progress: number) => console.log(`${Math.round(progress * 100)} %`),
 * });
 * ```
 */
export function uploadTransport(
  this: Uploading | void,
  input: RequestInfo,
  init: RequestInit = {},
): Promise<Response> {
  if (typeof XMLHttpRequest === 'function' && !('duplex' in init)) {
    const onProgress = (progress: number): void => this?.onProgress?.(progress);
    return sendByXhr(new XMLHttpRequest(), input, init, this?.onProgress && onProgress);
  }
  return fetch(input, init);
}

function sendByXhr(
  request: XMLHttpRequest,
  input: RequestInfo,
  { method = 'POST', headers, body, credentials, signal }: RequestInit,
  onProgress: Uploading['onProgress'],
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const rejectAborted = (): void => reject(endedError('AbortError', 'The upload was aborted.'));
    if (signal?.aborted) return rejectAborted();

    request.open(method, typeof input === 'string' ? input : input.url);
    request.responseType = 'arraybuffer';
    request.withCredentials = credentials === 'include';
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
    if (onProgress) {
      request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
        if (lengthComputable) onProgress(loaded / total);
      };
    }
    const abort = (): void => request.abort();
    signal?.addEventListener('abort', abort);
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    request.onabort = rejectAborted;
    request.onerror = () => reject(new TypeError('The upload failed to reach the server.'));
    request.onload = () => {
      try {
        resolve(responseOf(request));
      } catch (error) {
        // `new Response` throws for an invalid status, such as 999.
        reject(error as Error);
      }
    };
    // The cast: `fetch` sends streams, which XMLHttpRequest cannot send.
    request.send(body as XMLHttpRequestBodyInit | null | undefined);
  });
}

// Responses with these statuses must not have a body, not even an empty one:
// https://fetch.spec.whatwg.org/#null-body-status
const WITHOUT_BODY = [204, 205, 304];

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseURL } = request;
  // The cast: the `responseType` is `arraybuffer`.
  const body = WITHOUT_BODY.includes(status) ? null : (request.response as ArrayBuffer);
  const response = new Response(body, { status, statusText, headers: headersOf(request) });
  // Error messages contain the URL; a response made by a constructor has none.
  return Object.defineProperty(response, 'url', { value: responseURL });
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}
