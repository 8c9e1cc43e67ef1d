import { NetworkError, RestEndpoint, type RestGenerics } from 'restitch';
import { type Equal, same } from './support.js';

declare const cookie: string;

// A header for requests that change something
export class Csrf<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getHeaders(headers: HeadersInit): HeadersInit {
    return this.method === 'GET' ? headers : { ...headers, 'X-CSRFToken': cookie };
  }
}

// Keys converted on the way out
export class SnakeCase<O extends RestGenerics = any> extends RestEndpoint<O> {
  override getRequestInit(body: any): RequestInit | Promise<RequestInit> {
    return super.getRequestInit(body && { ...body, converted: true });
  }
}

// Headers in the result
export class Linked<O extends RestGenerics = any> extends RestEndpoint<O> {
  override async parseResponse(response: Response): Promise<any> {
    const results = await super.parseResponse(response);
    const link = response.headers.get('link');
    return link || Array.isArray(results) ? { link, results } : results;
  }
}

// Upload progress
class Upload<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare onProgress?: (progress: number) => void;
  override fetchResponse(input: RequestInfo, _init: RequestInit): Promise<Response> {
    this.onProgress?.(0.5);
    return Promise.reject(
      new NetworkError(new Response(typeof input === 'string' ? input : input.url)),
    );
  }
}
const upload = new Upload({
  path: '/files',
  method: 'POST',
  body: {} as FormData,
  onProgress: (progress: number) => void progress,
});
void upload(new FormData());
upload.onProgress?.(1);
// @ts-expect-error a form is needed
void upload({ file: 1 });

// A file with its name
const download = new RestEndpoint({
  path: '/files/:id',
  content: 'blob',
  dataExpiryLength: 0,
  async parseResponse(response) {
    return { blob: await response.blob(), filename: 'download' };
  },
  process: (value: { blob: Blob; filename: string }) => value,
});
same<Equal<Awaited<ReturnType<typeof download>>, { blob: Blob; filename: string }>>();

// Another base class's members
export class Legacy<O extends RestGenerics = any> extends RestEndpoint<O> {
  requestUrl(...args: Parameters<RestEndpoint<O>['url']>): string {
    return this.url(...args);
  }
}
