import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Converts camelCase keys to snake_case on the server.
 *
 * Use it when the API uses snake_case and your entities use camelCase. It converts the keys of
 * bodies and responses at every depth, and the names of search parameters. Path parameters are
 * sent as you write them. Keys that are data, such as those of `{ en_US: 'Hello' }`, are converted
 * too: keep them out of such responses, or override `process` again.
 */
export class CamelCaseEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override process(value: unknown): any {
    return convertKeys(value, toCamelCase);
  }

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return super.getRequestInit(body ? convertKeys(body, toSnakeCase) : body);
  }

  override searchToString(params: Readonly<Record<string, unknown>>): string {
    const names = Object.entries(params).map(([name, value]) => [toSnakeCase(name), value]);
    return super.searchToString(Object.fromEntries(names));
  }
}

/** `user_name` becomes `userName`. Leading underscores stay, so `_id` is still `_id`. */
export function toCamelCase(key: string): string {
  return key.replace(/(?<=[^_])_+([a-z0-9])/gi, (_, first: string) => first.toUpperCase());
}

/** `userName` becomes `user_name`, and `userID` becomes `user_id`. */
export function toSnakeCase(key: string): string {
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** A deep copy with other keys. Dates, files, and forms are not copied. */
export function convertKeys(value: unknown, convert: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((member) => convertKeys(member, convert));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [convert(key), convertKeys(member, convert)]),
  );
}

function isRecord(value: unknown): value is object {
  // The tag excludes `Blob` and `Date`. A value with `toJSON` converts itself.
  const isTagged = Object.prototype.toString.call(value) === '[object Object]';
  // The forms of a simulated DOM have the tag of a plain object.
  return isTagged && !isForm(value) && !hasToJson(value as object);
}

const isForm = (value: unknown): boolean =>
  [FormData, URLSearchParams, Blob].some((type) => value instanceof type);

const hasToJson = (value: object): boolean =>
  'toJSON' in value && typeof value.toJSON === 'function';
