/** The outcome of a call as text: equal texts mean that the caller cannot distinguish the calls. */
import axios from 'axios';
import { NetworkError } from 'restitch';

const bytes = (value: ArrayBuffer | ArrayBufferView): string =>
  (ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value)
  ).toString('base64');

function isResponse(value: object): value is { status: number; data: unknown } {
  return 'status' in value && 'data' in value && 'config' in value;
}

// JSON, with a word for everything that JSON lacks.
async function describe(value: unknown): Promise<unknown> {
  if (value === undefined) return '(undefined)';
  if (typeof value === 'number' && !Number.isFinite(value)) return `(${value})`;
  if (typeof value === 'bigint') return `(${value}n)`;
  if (typeof value === 'function') return '(function)';
  if (typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Blob) {
    const { size, type } = value;
    return size ? `(blob ${type} ${bytes(await value.arrayBuffer())})` : '(empty)';
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) {
    return value.byteLength ? `(bytes ${bytes(value)})` : '(empty)';
  }
  if (value instanceof Date) return `(date ${value.getTime()})`;
  if (value instanceof Error) return `(error ${failure(value)})`;
  // Its headers, configuration and socket are the client's own.
  if (isResponse(value)) return { status: value.status, data: await describe(value.data) };
  if (Array.isArray(value)) return Promise.all(value.map(describe));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return `(${value.constructor.name})`;
  const entries = Object.entries(value).map(async ([key, inner]) => [key, await describe(inner)]);
  return Object.fromEntries(await Promise.all(entries)) as unknown;
}

/** The failure of a call, in words that do not depend on the client. */
export function failure(error: unknown): string {
  if (error instanceof NetworkError) return `status ${error.status}`;
  if (axios.isAxiosError(error)) {
    if (error.response) return `status ${error.response.status}`;
    if (error.code === 'ERR_CANCELED') return 'aborted';
    if (error.code === 'ECONNABORTED' || error.code === 'ETIMEDOUT') return 'timed out';
    if (/^(ECONN|ERR_NETWORK)/.test(error.code ?? '')) return 'no connection';
    return `axios ${error.code}: ${error.message}`;
  }
  if (!(error instanceof Error)) return `thrown ${String(error)}`;
  if (error.name === 'AbortError') return 'aborted';
  if (error.name === 'TimeoutError') return 'timed out';
  if (error instanceof TypeError && error.message === 'fetch failed') return 'no connection';
  // The engine quotes the source, which is another one after the conversion.
  if (/ is not a function$|^Cannot read properties of /.test(error.message)) return error.name;
  // The code says what is wrong, and the message names the endpoint.
  if ('code' in error && typeof error.code === 'string') return `${error.name} ${error.code}`;
  return `${error.name}: ${error.message}`;
}

/** Waits for what a call gives, and puts it into words. */
export async function outcomeOf(call: () => unknown): Promise<string> {
  try {
    return `gives ${JSON.stringify(await describe(await call()))}`;
  } catch (error) {
    return `fails: ${failure(error)}`;
  }
}
