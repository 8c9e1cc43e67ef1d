/** What a call may resolve to. */
interface Held {
  readonly value: unknown;
  /** What the instance resolved to, with its status and headers. */
  readonly whole: unknown;
}

/** What the instance resolved to, by the response that stands for it. */
const values = new WeakMap<Response, Held>();

/** What is read of a response of axios. */
interface Answer {
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

// No response can have another one; what comes with a body of its own is not read here.
const isStatus = (status: unknown): status is number =>
  typeof status === 'number' && status >= 200 && status <= 599;

const isAnswer = (answer: unknown): answer is Answer =>
  Object(answer) === answer &&
  ['data', 'status', 'headers', 'config'].every((name) => name in (answer as object));

/**
 * A response without a body that stands for what an instance resolved to: for subclasses that read its status and headers. Of what an
 * interceptor made of the response neither is known.
 */
export function responseOf(answer: unknown): Response {
  if (!isAnswer(answer)) return hold(new Response(), answer, answer);
  const { data, status, statusText = '', headers, request, config } = answer;
  const response = new Response(null, {
    status: isStatus(status) ? status : 200,
    statusText,
    headers: headersOf(headers),
  });
  const url = request?.responseURL ?? request?.res?.responseUrl ?? config.url ?? '';
  return hold(Object.defineProperty(response, 'url', { value: url }), data, answer);
}

/** What a response of `responseOf` stands for; undefined for any other. */
export const valueOf = (response: Response): Held | undefined => values.get(response);

function hold(response: Response, value: unknown, whole: unknown): Response {
  values.set(response, { value, whole });
  return response;
}

function headersOf(source: object): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(source)) {
    // Several cookies are an array.
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item != null) headers.append(name, String(item));
    }
  }
  return headers;
}
