import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Tells how much of a body has been sent.
 *
 * Use it in a browser for uploads with a progress bar: `fetch` cannot tell, XMLHttpRequest can. `onProgress` gets a number
 * from 0 to 1; it is an option, so `upload.extend({ onProgress })` listens to one upload. The browser asks the server's leave
 * (a preflight request) when the upload goes to another origin.
 */
export class UploadEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly onProgress?: (progress: number) => void;

  override fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    return new Promise((resolve, reject) => {
      const { signal } = init;
      const aborted = (): DOMException => new DOMException('The upload was aborted.', 'AbortError');
      if (signal?.aborted) return reject(aborted());

      const request = new XMLHttpRequest();
      request.open(init.method ?? 'POST', typeof input === 'string' ? input : input.url);
      request.responseType = 'arraybuffer';
      request.withCredentials = init.credentials === 'include';
      new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));

      if (this.onProgress) {
        request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
          if (lengthComputable) this.onProgress?.(loaded / total);
        });
      }
      const abort = (): void => request.abort();
      signal?.addEventListener('abort', abort);
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
      request.addEventListener('abort', () => reject(aborted()));
      request.addEventListener('error', () =>
        reject(new TypeError('The upload failed to reach the server.')),
      );
      request.addEventListener('load', () => {
        const response = responseOf(request);
        if (response.ok) resolve(response);
        else reject(new NetworkError(response));
      });
      // The types allow a stream here, which XMLHttpRequest cannot send.
      request.send(init.body as XMLHttpRequestBodyInit | null | undefined);
    });
  }
}

// These statuses may not have a body, not even an empty one.
const WITHOUT_BODY = [204, 205, 304];

function responseOf(request: XMLHttpRequest): Response {
  const { status, statusText, responseURL } = request;
  const body = WITHOUT_BODY.includes(status) ? null : (request.response as ArrayBuffer);
  const response = new Response(body, { status, statusText, headers: headersOf(request) });
  // Error messages name it; a response that was not fetched has none.
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
