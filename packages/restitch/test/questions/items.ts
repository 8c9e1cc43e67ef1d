/** The rows that records hold, at a path of their own, by the `Collection` in the records. */
import { itemsRead, type Declared } from './classes.js';
import type { Flights } from './flights.js';
import type { Kit } from './kit.js';
import type { Lists } from './lists.js';
import { question, type Mutation, type Question } from './questions.js';
import { PREFIXES, USERS } from './reads.js';

interface Ground {
  readonly kit: Kit;
  readonly lists: Lists;
  readonly common: { readonly flights: Flights };
}

/** For two users each has lists of its own. Edits change these, and those in the records (4.3). */
export function itemsAt(
  cls: Declared,
  hasScopes: boolean,
  label: string,
  { kit, lists, common }: Ground,
): { readonly questions: readonly Question[]; readonly mutations: readonly Mutation[] } {
  const { owned, nest } = cls;
  if (!owned || nest === 'own') return { questions: [], mutations: [] };
  const questions: Question[] = [];
  const mutations: Mutation[] = [];
  const schema = lists.items(owned, 'nestKey');
  const variant = `${owned.label} items`;
  const address = { path: '/t1/items', urlPrefix: PREFIXES[0] };
  const shared = kit.rest({ ...common, ...address, schema, variant });
  for (const user of hasScopes ? USERS : ['']) {
    const endpoint = user === '' ? shared : kit.scoped({ getList: shared }, user).getList;
    const name = user === '' ? label : `${label} as ${user}`;
    for (const owner of ['1', '2']) {
      const wire = { url: `${PREFIXES[0]}/t1/items?owner=${owner}`, auth: user };
      const list = itemsRead(cls, owned, owner, user);
      questions.push(question(name, endpoint, [{ owner }], wire, variant, list));
      const types = { push: 'create', unshift: 'create', remove: 'remove' } as const;
      for (const edit of ['push', 'unshift', 'remove'] as const) {
        if (!endpoint[edit]) continue;
        mutations.push({
          label: `${name}.${edit}`,
          type: types[edit],
          endpoint: endpoint[edit],
          cls: owned,
          list,
          isOptimistic: false,
          args: (id, body) => [{ owner }, edit === 'remove' ? { id } : body],
        });
      }
    }
  }
  return { questions, mutations };
}
