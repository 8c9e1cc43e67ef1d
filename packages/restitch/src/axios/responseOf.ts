/** The values that a call may resolve to. */
interface Held {
  readonly value: unknown;
  /** The value of the instance, with its status and headers. */
  readonly whole: unknown;
}

/** The value of the instance by its stand-in response. */
const values = new WeakMap<Response, Held>();

/** The members that are read of an axios response. */
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

// The `Response` constructor throws for any other status. A response with its own body is not read
// here.
const isStatus = (status: unknown): status is number =>
  typeof status === 'number' && status >= 200 && status <= 599;

const isAxiosResponse = (given: unknown): given is AxiosResponseParts =>
  Object(given) === given &&
  ['data', 'status', 'headers', 'config'].every((name) => name in (given as object));

/**
 * Returns a response without a body in place of an instance's value, for subclasses that read its
 * status and headers. They are unknown if an interceptor replaced the response.
 */
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

/** Returns the value behind a response of `responseOf`; undefined for any other response. */
export const valueOf = (response: Response): Held | undefined => values.get(response);

function hold(response: Response, value: unknown, whole: unknown): Response {
  values.set(response, { value, whole });
  return response;
}

function headersOf(source: object): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    // The value of several cookies is an array.
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item != null) headers.append(name, String(item));
    }
  }
  return headers;
}
