import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { signatureOf } from '../schema/signature.js';
import { collect, collectCell } from '../store/views/references.js';
import { nodeList } from '../store/views/nodes.js';
import { isPending } from '../store/journal/rank.js';
import type { Result } from '../store/cells/Result.js';
import type { Store } from '../store/cells/Store.js';
import { isReadable } from './declarations.js';
import type { Answer, HydratedState } from './hydrated.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Returns the hydrated result for the key and schema of `result`, if there is one. */
export function answerFor(
  { answers: byKey }: HydratedState,
  { key, shape }: Result,
): Answer | undefined {
  const answers = byKey.get(key);
  const schema = answers && signatureOf(shape);
  return answers?.find((answer) => answer.schema === schema);
}

/** Moves a waiting hydrated result into a new result of the store. */
export function takeAnswer(store: Store, hydrated: HydratedState, result: Result): void {
  const answer = answerFor(hydrated, result);
  if (answer?.isWaiting) {
    answer.isWaiting = false;
    store.observer?.result(result);
    answer.undecided?.forEach((outdate) => outdate(answer, result.endpoint));
    const { value, fetchedAt, expiresAt } = answer;
    let { invalidatedIn } = answer;
    if (invalidatedIn === 0 && !isWhole(store, result, answer)) {
      store.tick += 1;
      invalidatedIn = store.tick;
    }
    if (invalidatedIn > 0) {
      Object.assign(result, { start: invalidatedIn, expiredIn: invalidatedIn });
    } else {
      Object.assign(result, { status: 'value', value, fetchedAt, expiresAt });
    }
  } else if (
    (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') &&
    !answer
  ) {
    const other = hydrated.answers.get(result.key)?.find(({ isWaiting }) => isWaiting);
    if (other) {
      const message = `${result.key}: hydrated for the schema '${other.schema}', but read as '${signatureOf(result.shape)}'.`;
      store.report(new RestitchError('other-schema', message));
    } else {
      reportOtherPrefix(store, hydrated, result);
    }
  }
}

/**
 * Reports once that the server used another address for the same path: the cache key then differs,
 * and the hydrated result is not found.
 */
function reportOtherPrefix(
  { report }: Store,
  hydrated: HydratedState,
  { key, endpoint: { urlPrefix = '' } }: Result,
): void {
  const [, method = '', url = ''] = /^(.*?[A-Z]+ )(.*)$/s.exec(key) ?? [];
  const path = url.startsWith(urlPrefix) ? url.slice(urlPrefix.length) : '';
  for (const other of path && !reported.has(hydrated) ? hydrated.answers.keys() : []) {
    const prefix = other.slice(method.length, -path.length);
    // If neither has a host, they are two different paths.
    if (other === method + prefix + path && /:\/\//.test(urlPrefix + prefix)) {
      reported.add(hydrated);
      const message = `${key} was hydrated as ${other}, and is fetched: give the endpoint a \`service\` in place of its address.`;
      report(new RestitchError('other-prefix', message));
      return;
    }
  }
}

/** Hydrated states whose prefix was already reported. */
const reported = new WeakSet<HydratedState>();

/**
 * Returns true if a hydrated result can be read, and each row and list that it leads to has all
 * values of its response.
 */
export function isWhole(store: Store, { shape, key }: Result, { value }: Answer): boolean {
  if (!isReadable(shape, value)) {
    const message = isDevelopment ? `${key}: a damaged result was not taken.` : key;
    store.report(new RestitchError('damaged-state', message));
    return false;
  }
  const nodes = new Set(nodeList(collect(store, shape, value)));
  // Iteration over a set includes the items that are added meanwhile.
  for (const node of nodes) {
    const isUnknown = node.shape.kind === 'collection' && !node.cell.shown;
    if (isUnknown || node.cell.lifetime.isIncomplete) {
      return false;
    }
    nodeList(collectCell(store, node)).forEach((child) => nodes.add(child));
  }
  return true;
}

/** Invalidates waiting hydrated results, or ends their lifetime. */
export function outdateAnswers(
  store: Store,
  hydrated: HydratedState,
  test: (key: string) => boolean,
  how: 'invalidate' | 'expire',
  isKin?: (endpoint: object) => boolean,
): void {
  store.tick += 1;
  store.observer?.waiting();
  const invalidatedIn = how === 'invalidate' ? store.tick : 0;
  const outdate = (answer: Answer, endpoint?: object): void => {
    if (test(answer.key) || (endpoint && isKin?.(endpoint))) {
      Object.assign(answer, { expiresAt: 0, invalidatedIn });
    } else if (isKin && !endpoint && answer.isWaiting) {
      (answer.undecided ??= []).push(outdate);
    }
  };
  for (const answers of hydrated.answers.values()) {
    answers.forEach((answer) => outdate(answer));
  }
  if (hydrated.page && isPending(hydrated.page)) {
    hydrated.outdated.push(outdate);
  }
}
