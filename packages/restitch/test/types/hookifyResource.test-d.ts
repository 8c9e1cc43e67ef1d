import {
  Entity,
  hookifyResource,
  type HookInit,
  resource,
  RestEndpoint,
  type RestGenerics,
} from 'restitch';
import { type Equal, same } from './support.js';

class Todo extends Entity {
  id = '';
}
class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  account = 'me';
}
const Todos = resource({ path: '/todos/:id', schema: Todo, Endpoint: Api }).extend('toggle', {
  path: '/todos/:id/toggle',
  method: 'POST',
});
const hooks = hookifyResource(Todos, () => ({ headers: { a: 'b' }, scope: 'x' }));

// A hook for each endpoint, which gives an endpoint of the same type
same<
  Equal<
    keyof typeof hooks,
    'useGet' | 'useGetList' | 'useUpdate' | 'usePartialUpdate' | 'useDelete' | 'useToggle'
  >
>();
same<Equal<ReturnType<typeof hooks.useGet>, typeof Todos.get>>();
same<Equal<ReturnType<typeof hooks.useToggle>, typeof Todos.toggle>>();
same<Equal<Parameters<typeof hooks.useGet>, []>>();
const list = hooks.useGetList();
void list.push({ id: '1' });
same<Equal<typeof list.account, string>>();
// @ts-expect-error misspelled
void hooks.useGet()({ idd: 1 });
// @ts-expect-error there is no such endpoint
hooks.useNothing();

// Other members are left out
const mixed = hookifyResource({ get: Todos.get, title: 'x', run: () => 1 }, () => ({}));
same<Equal<keyof typeof mixed, 'useGet'>>();

// What the init may be
const init: HookInit = { credentials: 'include', scope: undefined };
hookifyResource(Todos, () => init);
hookifyResource(Todos, (): HookInit => ({}));
hookifyResource(Todos, () => (Math.random() ? { headers: { a: 'b' } } : {}));
hookifyResource(Todos, () => ({ credentials: 'include', cache: 'no-store', priority: 'high' }));
hookifyResource<typeof Todos>(Todos, () => init);
// @ts-expect-error it would have no effect
hookifyResource(Todos, () => ({ scope: 'x', getHeaders: () => ({ a: 'b' }) }));
// @ts-expect-error no member of an init
hookifyResource(Todos, () => ({ scope: 'x', timeout: 5 }));
// @ts-expect-error in one of two cases
hookifyResource(Todos, () => (Math.random() ? { header: 'x' } : {}));
// @ts-expect-error not a string
hookifyResource(Todos, () => ({ scope: 5 }));
// @ts-expect-error a hook is not async
hookifyResource(Todos, async () => ({}));
