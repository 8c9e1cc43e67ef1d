interface Held {
  /** The `data` of the response, or the value that an interceptor returned instead. */
  readonly value: unknown;
  readonly whole: unknown;
}

/** Maps each response from `responseOf` to the value that it stands for. */
const values = new WeakMap<Response, Held>();

interface AxiosResponseParts {
  readonly data: unknown;
  readonly status: number;
  readonly statusText?: string;
  readonly headers: object;
  readonly config: { readonly url?: string };
  readonly request?: {
    readonly responseURL?: string;
    readonly res?: { readonly responseUrl?: string };
  };
}

// The `Response` constructor throws for a status outside of 200 to 599.
const isStatus = (status: unknown): status is number =>
  typeof status === 'number' && status >= 200 && status <= 599;

const isAxiosResponse = (given: unknown): given is AxiosResponseParts =>
  Object(given) === given &&
  ['data', 'status', 'headers', 'config'].every((name) => name in (given as object));

/** Subclasses read status and headers. The body is empty, because `valueOf` returns the data. */
export function responseOf(given: unknown): Response {
  if (!isAxiosResponse(given)) return hold(new Response(), given, given);
  const { data, status, statusText = '', headers, request, config } = given;
  const response = new Response(null, {
    status: isStatus(status) ? status : 200,
    statusText,
    headers: headersOf(headers),
  });
  const url = request?.responseURL ?? request?.res?.responseUrl ?? config.url ?? '';
  return hold(Object.defineProperty(response, 'url', { value: url }), data, given);
}

export const valueOf = (response: Response): Held | undefined => values.get(response);

function hold(response: Response, value: unknown, whole: unknown): Response {
  values.set(response, { value, whole });
  return response;
}

function headersOf(source: object): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    // The value is an array if the server sets several cookies.
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item != null) headers.append(name, String(item));
    }
  }
  return headers;
}
