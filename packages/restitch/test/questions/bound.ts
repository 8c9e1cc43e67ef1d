/**
 * Endpoints made by `bind`: a call of one asks what its base asks with the bound arguments before
 * those of the call (identity 3.2).
 */
import { derive, type Ground } from './derived.js';
import type { Kit } from './kit.js';
import type { EndpointSpec } from './program.js';
import { show, type AnyEndpoint } from './questions.js';
import type { Read } from './reads.js';

/** A read with the arguments that its calls still need. */
export interface Call {
  readonly read: Read;
  readonly args: readonly unknown[];
  /** What edits its list. */
  readonly edits: Pick<AnyEndpoint, 'push' | 'unshift' | 'remove' | 'move'>;
}

/** Undefined where it makes no sense. */
export type Asks = (read: Read, args: readonly unknown[]) => Call | undefined;

export const unbound: Asks = (read, args) => ({ read, args, edits: read.endpoint });

export function binding(
  { order, ...change }: Extract<EndpointSpec, { readonly type: 'bound' }>,
  ground: Ground,
): Asks {
  return (read, args) => {
    const bind = (endpoint: AnyEndpoint): AnyEndpoint => ground.kit.bind(endpoint, args);
    const on = { ...ground, label: `${ground.label} bound to ${show(args)}` };
    const label = `${on.label}, ${read.label}`;
    // A list that is moved in is not the one whose arguments are bound.
    const own = { ...read, label, isResource: false };
    if (order === 'bind') {
      const { push, unshift, remove } = read.endpoint;
      const edits = {
        push: push && bind(push),
        unshift: unshift && bind(unshift),
        remove: remove && bind(remove),
      };
      return { read: { ...own, endpoint: bind(read.endpoint) }, args: [], edits };
    }
    const made =
      order === 'bind, extend'
        ? derive({ ...own, endpoint: bind(read.endpoint) }, change, on)
        : derive(own, change, on);
    if (!made) return undefined;
    const endpoint = order === 'bind, extend' ? made.endpoint : bind(made.endpoint);
    return { read: { ...made, endpoint }, args: [], edits: endpoint };
  };
}

/** A function with all arguments bound, together or one by one, or with one and `extend`. */
export function boundFunction(
  kit: Kit,
  endpoint: AnyEndpoint,
  args: readonly unknown[],
  form: number,
): { readonly endpoint: AnyEndpoint; readonly args: readonly unknown[] } {
  const [first, ...others] = args;
  const same = { errorExpiryLength: 1000 };
  // The casts: what `extend` makes is an endpoint of the same kind.
  const bind: Kit['bind'] = (of, bound) => kit.bind(of, bound);
  switch (args.length > 0 ? form % 4 : 0) {
    case 0:
      return { endpoint: bind(endpoint, args), args: [] };
    case 1:
      return { endpoint: bind(bind(endpoint, [first]), others), args: [] };
    case 2:
      return { endpoint: bind(endpoint, [first]).extend(same) as AnyEndpoint, args: others };
    default:
      return { endpoint: bind(endpoint.extend(same) as AnyEndpoint, [first]), args: others };
  }
}
