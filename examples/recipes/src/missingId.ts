import { RestEndpoint, type RestGenerics } from 'restitch';

/**
 * Adds the id that a response lacks.
 *
 * Use it when `GET /users/ada` returns `{ "name": "Ada" }`: an entity without a primary key can't
 * be stored. `idParam: 'username'` copies the path parameter to the field of that name, which
 * `pk()` then returns.
 */
export class IdFromPathEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  /** The path parameter to copy. Default: `id`. */
  readonly idParam: string = 'id';

  override process(value: any, params?: Readonly<Record<string, unknown>>): any {
    const id = params?.[this.idParam];
    // The path names a single record. A list or an empty response isn't one.
    if (id === undefined || !value || typeof value !== 'object' || Array.isArray(value)) {
      return value;
    }
    return { ...value, [this.idParam]: id };
  }
}
