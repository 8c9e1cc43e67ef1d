import type { Cell, Stored } from '../store/cells/Cell.js';
import { equal } from '../store/cells/plainValues.js';
import type { Lifetime } from '../store/cells/results.js';
import type { Store } from '../store/cells/Store.js';
import type { ResultState } from '../store/cells/StoreState.js';
import type { ListChange, ResultChange, RowChange } from './ChangeSet.js';
import { hydratedOf, type Waiting, waitingState } from './hydrated.js';
import type { Encoding } from './json.js';
import { listState, resultState, rowState } from './exportedParts.js';

export interface Changes {
  readonly rows: RowChange[];
  readonly lists: ListChange[];
  readonly results: ResultChange[];
}

/**
 * Reports hydrated data that no schema has used yet. `getState` exports this data too, so its
 * changes must be reported.
 */
export class WaitingParts {
  readonly #store: Store;
  readonly #encoding: Encoding;
  readonly #reported = new Map<string, Waiting>();
  readonly #results = new Map<string, ResultState>();

  constructor(store: Store, encoding: Encoding) {
    this.#store = store;
    this.#encoding = encoding;
    this.takeChanges({ rows: [], lists: [], results: [] });
  }

  takeChanges({ rows, lists, results }: Changes): void {
    const encoding = this.#encoding;
    const hydrated = hydratedOf(this.#store);
    for (const [key, parts] of hydrated?.rows ?? []) {
      for (const [pk, part] of parts) {
        const state = this.#isNews('rows', key, pk, part) && rowState(pk, part, encoding);
        if (state) {
          rows.push({ entity: key, ...state, rankedAt: part.meta.fetchedAt });
        }
      }
    }
    for (const [key, parts] of hydrated?.lists ?? []) {
      for (const [pk, part] of parts) {
        const state = this.#isNews('lists', key, pk, part) && listState(part, encoding);
        if (state) {
          lists.push({ kind: key, ...state });
        }
      }
    }
    for (const hydratedResults of hydrated?.results.values() ?? []) {
      for (const hydratedResult of hydratedResults) {
        const { key, schema, isWaiting, invalidatedIn } = hydratedResult;
        const id = nameOf('results', key, schema);
        const reported = this.#results.get(id);
        const state = isWaiting ? resultState(waitingState(hydratedResult), encoding) : undefined;
        if (isWaiting && invalidatedIn > 0 && reported) {
          this.#results.delete(id);
          results.push({ key, schema, gone: true });
        } else if (state && invalidatedIn === 0 && !isSame(reported, state)) {
          this.#results.set(id, state);
          results.push(state);
        }
      }
    }
  }

  #isNews(kind: string, key: string, pk: string, part: Waiting): boolean {
    const name = nameOf(kind, key, pk);
    const reported = this.#reported.get(name);
    this.#reported.set(name, part);
    const isSame = reported && equal(reported.lost, part.lost);
    return !isSame || !equal(reported.stored, part.stored);
  }

  moved({
    table,
    pk,
  }: Cell):
    | { readonly stored: Stored; readonly meta: Lifetime; readonly lost: readonly string[] }
    | undefined {
    const name = table.kind === 'selection' ? '' : nameOf(table.kind, table.key, pk);
    const reported = this.#reported.get(name);
    this.#reported.delete(name);
    return reported && { stored: reported.stored, meta: reported.meta, lost: reported.lost ?? [] };
  }

  movedResult(key: string, schema: string): ResultState | undefined {
    const id = nameOf('results', key, schema);
    const reported = this.#results.get(id);
    this.#results.delete(id);
    return reported;
  }
}

function nameOf(kind: string, key: string, name: string): string {
  return `${kind}\n${key}\n${name}`;
}

export function isSame(reported: ResultState | undefined, state: ResultState): boolean {
  return (
    reported !== undefined &&
    equal(reported.value, state.value) &&
    reported.fetchedAt === state.fetchedAt &&
    reported.expiresAt === state.expiresAt
  );
}
