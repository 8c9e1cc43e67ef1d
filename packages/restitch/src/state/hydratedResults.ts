import { expireContent } from '../controller/resultOf.js';
import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { resultSignature } from './resultSignature.js';
import type { Shape } from '../schema/shapes.js';
import { findCell } from '../store/views/queries.js';
import { collect } from '../store/views/walkReferences.js';
import { nodesWithin } from '../store/views/nodesWithin.js';
import type { CellNode } from '../store/views/Node.js';
import { contentOf, expireResult, resultsIn } from '../store/cells/results.js';
import { isPending } from '../store/journal/responseOrder.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import { isReadable } from './fieldDeclarations.js';
import { hydratedOf, type HydratedResult, type HydratedState } from './hydrated.js';
import { lostWithin } from './incomplete.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

export function hydratedResultFor(
  { results: byKey }: HydratedState,
  result: Result,
): HydratedResult | undefined {
  const found = byKey.get(result.key);
  const schema = found && resultSignature(result);
  return found?.find((hydratedResult) => hydratedResult.schema === schema);
}

export function takeResult(store: Store, hydrated: HydratedState, result: Result): void {
  const hydratedResult = hydratedResultFor(hydrated, result);
  if (hydratedResult?.isWaiting) {
    hydratedResult.isWaiting = false;
    store.observer?.result(result);
    hydratedResult.undecided?.forEach((outdate) => outdate(hydratedResult, result.endpoint));
    const { value, fetchedAt, expiresAt } = hydratedResult;
    let { invalidatedIn } = hydratedResult;
    if (invalidatedIn === 0 && !isWhole(store, result, hydratedResult)) {
      store.tick += 1;
      invalidatedIn = store.tick;
    }
    if (expiresAt === 0 && isReadable(result.shape, value)) {
      expireContent(store, { ...result, value });
    }
    if (invalidatedIn > 0) {
      Object.assign(result, { start: invalidatedIn, expiredIn: invalidatedIn });
    } else {
      const isOver = isOutdated(store, hydrated, result, hydratedResult);
      Object.assign(result, {
        status: 'value',
        value,
        fetchedAt,
        expiresAt: isOver ? 0 : expiresAt,
      });
    }
  } else if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    !hydratedResult
  ) {
    const other = hydrated.results.get(result.key)?.find(({ isWaiting }) => isWaiting);
    if (other) {
      const message = `${result.key}: hydrated for the schema '${other.schema}', but read with the schema '${resultSignature(result)}'.`;
      store.report(new RestitchError('other-schema', message));
    } else {
      reportOtherPrefix(store, hydrated, result);
    }
  }
}

/**
 * If the server used another address for the same path, the cache keys differ, and the result is
 * fetched again.
 */
function reportOtherPrefix(
  { report }: Store,
  hydrated: HydratedState,
  { key, endpoint: { urlPrefix = '' } }: Result,
): void {
  const [, method = '', url = ''] = /^(.*?[A-Z]+ )(.*)$/s.exec(key) ?? [];
  const path = url.startsWith(urlPrefix) ? url.slice(urlPrefix.length) : '';
  for (const other of path && !reported.has(hydrated) ? hydrated.results.keys() : []) {
    const prefix = other.slice(method.length, -path.length);
    // On the same host, the two URLs have different paths, so they are not the same resource.
    if (hostOf(prefix) !== hostOf(urlPrefix) && other === method + prefix + path) {
      reported.add(hydrated);
      const message = `${key} was hydrated as ${other}, so it is fetched again. Set the same \`service\` on both sides, which replaces the address.`;
      report(new RestitchError('other-prefix', message));
      return;
    }
  }
}

const hostOf = (prefix: string): string | undefined => /^[\w+.-]*:?\/\/[^/]+/.exec(prefix)?.[0];

const reported = new WeakSet<HydratedState>();

export function isWhole(store: Store, { shape, key }: Result, { value }: HydratedResult): boolean {
  if (!isReadable(shape, value)) {
    const message = isDevelopment ? `${key}: a damaged result was ignored.` : key;
    store.report(new RestitchError('damaged-state', message));
    return false;
  }
  return !lostWithin(store, shape, value) && !hasRestored(store, shape, value);
}

/**
 * Returns true if a record was deleted, here or before the export, and a response has restored it,
 * maybe without all fields that the result had.
 */
function hasRestored(store: Store, shape: Shape, value: unknown): boolean {
  const { cells, removed } = hydratedOf(store) ?? {};
  return collect(store, shape, value).some(
    ({ cell, shape: { kind } }) =>
      kind === 'entity' && cell.current && (!cells?.has(cell) || removed?.has(cell)),
  );
}

/**
 * An invalidated result is not exported, but its row or list is exported as expired. So a result
 * that a later part of the page lacks is outdated if its row or list is expired.
 */
function isOutdated(
  store: Store,
  hydrated: HydratedState,
  { shape }: Result,
  { part, value }: HydratedResult,
): boolean {
  return part < hydrated.part && findCell(store, shape, value)?.lifetime.expiresAt === 0;
}

/** Expires the results that the running `hydrate` outdates, or that show a row of `lost`. */
export function expireHydrated(store: Store, hydrated: HydratedState): void {
  const { lost } = hydrated;
  for (const result of resultsIn(store)) {
    const { shape, start, expiresAt } = result;
    const isLost = ({ cell }: CellNode): boolean =>
      lost.get(cell) === false || (lost.has(cell) && start === 0);
    if (lost.size > 0 && [...nodesWithin(store, shape, contentOf(result))].some(isLost)) {
      // Responses to requests in flight are fresh.
      expireResult(store, result, start + 1);
    } else if (start === 0 && expiresAt > 0) {
      const hydratedResult = hydratedResultFor(hydrated, result);
      if (hydratedResult && isOutdated(store, hydrated, result, hydratedResult)) {
        // The result is fresh again if a later part contains it.
        expireResult(store, result, 0);
      }
    }
  }
  lost.clear();
}

export function outdateResults(
  store: Store,
  hydrated: HydratedState,
  test: (key: string) => boolean,
  how: 'invalidate' | 'expire',
  isKin?: (endpoint: object) => boolean,
): void {
  store.tick += 1;
  store.observer?.waiting();
  const invalidatedIn = how === 'invalidate' ? store.tick : 0;
  const outdate = (hydratedResult: HydratedResult, endpoint?: object): void => {
    if (test(hydratedResult.key) || (endpoint && isKin?.(endpoint))) {
      Object.assign(hydratedResult, { expiresAt: 0, invalidatedIn });
    } else if (isKin && !endpoint && hydratedResult.isWaiting) {
      (hydratedResult.undecided ??= []).push(outdate);
    }
  };
  for (const found of hydrated.results.values()) {
    found.forEach((hydratedResult) => outdate(hydratedResult));
  }
  if (hydrated.page && isPending(hydrated.page)) {
    hydrated.outdated.push(outdate);
  }
}
