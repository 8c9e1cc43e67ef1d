import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Renames some keys for the server.
 *
 * Use it to give a few fields other names than the API does. `renames: { author: 'user_id' }`
 * sends `author` as `user_id`, and reads `user_id` as `author`, in a record and in each record of
 * a list.
 */
export class RenamedKeysEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  /** Maps local names to the names of the server. */
  readonly renames: Readonly<Record<string, string>> = {};

  override process(value: unknown): any {
    const pairs = Object.entries(this.renames).map(([local, remote]) => [remote, local] as const);
    return renameKeys(value, new Map(pairs));
  }

  override async getRequestInit(body?: unknown): Promise<RequestInit> {
    return super.getRequestInit(renameKeys(body, new Map(Object.entries(this.renames))));
  }
}

export function renameKeys(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((member) => renameKeys(member, names));
  // Forms, files, and text don't change. A simulated DOM gives forms the tag of a plain object.
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  if (value instanceof FormData || value instanceof URLSearchParams) return value;
  const entries = Object.entries(value as object);
  const kept = entries.filter(([key]) => !names.has(key));
  const moved = entries.flatMap(([key, member]) => {
    const name = names.get(key);
    return name === undefined ? [] : [[name, member] as const];
  });
  // Renamed keys come last, so that they replace existing keys of the same name.
  return Object.fromEntries([...kept, ...moved]);
}
