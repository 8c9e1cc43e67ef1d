import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { EDIT_ACTIONS } from '../schema/CollectionEdit.js';
import type { EndpointInterface } from './EndpointInterface.js';

/** The mutations of a program by name. After a reload, a stored name identifies its endpoint. */
export type Operations = ReadonlyMap<string, EndpointInterface>;

/**
 * Collects mutations by `name`, from resources and single endpoints. Pass every endpoint whose
 * requests must survive a reload.
 *
 * @remarks The name must be the same in each version of the program. A minifier changes the names
 * of functions and classes, so give endpoints a `name`, and classes a `static key`. Endpoints that
 * only read are left out.
 *
 * @throws RestitchError `operation-unnamed` for an endpoint without a name.
 * @throws RestitchError `operation-twice` for two endpoints with one name.
 *
 * @example
 * ```ts
 * import { Entity, operations, resource, RestEndpoint } from 'restitch';
 *
 * class Post extends Entity {
 *   id = '';
 *   title = '';
 *   static key = 'Post';
 * }
 * const Posts = resource({ path: '/posts/:id', schema: Post });
 * const vote = new RestEndpoint({ path: '/posts/:id/vote', method: 'POST', name: 'vote' });
 *
 * const all = operations({ Posts, vote });
 * const rename = all.get('Post.partialUpdate');
 * ```
 */
export function operations(api: Readonly<Record<string, object>>): Operations {
  const found = new Map<string, EndpointInterface>();
  for (const [path, value] of Object.entries(api)) {
    if (isEndpoint(value)) {
      add(found, path, value);
    } else {
      for (const [member, endpoint] of Object.entries(value)) {
        add(found, `${path}.${member}`, endpoint);
      }
    }
  }
  return found;
}

function add(found: Map<string, EndpointInterface>, path: string, value: unknown): void {
  if (!isEndpoint(value)) {
    return;
  }
  if (!value.sideEffect) {
    for (const edit of EDIT_ACTIONS) {
      add(found, `${path}.${edit}`, Reflect.get(value, edit));
    }
    return;
  }
  const { name } = value;
  if (!name) {
    throw new RestitchError(
      'operation-unnamed',
      isDevelopment ? `${path} needs a \`name\` that stays the same after a reload.` : path,
    );
  }
  const other = found.get(name);
  if (other && other !== value) {
    throw new RestitchError(
      'operation-twice',
      isDevelopment ? `${path}: another endpoint also has the name ${name}.` : path,
    );
  }
  found.set(name, value);
}

function isEndpoint(value: unknown): value is EndpointInterface {
  return typeof value === 'function' && 'testKey' in value;
}
