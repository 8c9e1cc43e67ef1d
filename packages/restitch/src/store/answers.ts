import { isDevelopment } from '../errors/development.js';
import { RestitchError } from '../errors/RestitchError.js';
import { signatureOf } from '../schema/signature.js';
import type { Answer } from './hydrated.js';
import { isPending } from './rank.js';
import type { Result, Store } from './state.js';

/** The answer to a register's question that another store exported, if one came. */
export function answerFor({ hydrated }: Store, { key, shape }: Result): Answer | undefined {
  const answers = hydrated?.answers.get(key);
  const schema = answers && signatureOf(shape);
  return answers?.find((answer) => answer.schema === schema);
}

/** Gives a new register the answer that waits for it. */
export function takeAnswer(store: Store, result: Result): void {
  const answer = answerFor(store, result);
  if (answer?.isWaiting) {
    answer.isWaiting = false;
    const { value, leftOut = [], fetchedAt, expiresAt, invalidatedIn } = answer;
    if (invalidatedIn > 0) {
      Object.assign(result, { start: invalidatedIn, expiredIn: invalidatedIn });
    } else {
      Object.assign(result, { status: 'value', value, leftOut, fetchedAt, expiresAt });
    }
  } else if (isDevelopment && !answer) {
    const other = store.hydrated?.answers.get(result.key)?.find(({ isWaiting }) => isWaiting);
    if (other) {
      const message =
        `${result.key}: an answer for the schema '${other.schema}' was brought along, but it is read as ` +
        `'${signatureOf(result.shape)}', so it is not used. Where two builds name a class differently, give it a \`static key\`.`;
      store.report(new RestitchError('other-schema', message));
    }
  }
}

/** Takes waiting answers away, or ends their lifetime. */
export function outdateAnswers(
  store: Store,
  test: (key: string) => boolean,
  how: 'invalidate' | 'expire',
): void {
  const { hydrated } = store;
  if (!hydrated) {
    return;
  }
  store.tick += 1;
  const invalidatedIn = how === 'invalidate' ? store.tick : 0;
  const outdate = (answer: Answer): void => {
    if (test(answer.key)) {
      Object.assign(answer, { expiresAt: 0, invalidatedIn });
    }
  };
  for (const answers of hydrated.answers.values()) {
    answers.forEach(outdate);
  }
  if (hydrated.page && isPending(hydrated.page)) {
    hydrated.outdated.push(outdate);
  }
}
