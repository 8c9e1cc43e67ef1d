import { RestitchError } from '../errors/RestitchError.js';
import { isOwnText } from '../schema/identityText.js';
import type { Shape } from '../schema/shapes.js';
import { entitiesIn } from '../schema/signature.js';

/**
 * Converts a cache key, a table key or a signature. `shape` is the schema of the data, and
 * `endpoint` the name of the endpoint that fetched the data.
 */
export type Naming = (text: string, shape: Shape | undefined, endpoint?: string) => string;

/**
 * A class, endpoint or list without a name has another identity in another program.
 *
 * @throws RestitchError that names the class, endpoint or list.
 */
export const refuseUnnamed: Naming = (text, shape, endpoint) => {
  if (!isOwnText(text)) {
    return text;
  }
  for (const { table, name } of shape ? entitiesIn(shape) : []) {
    if (isOwnText(table)) {
      throw new RestitchError('entity-without-key', `${name} needs a \`static key\`: ${REASON}`);
    }
  }
  if (endpoint !== undefined) {
    const who = endpoint || 'An endpoint';
    throw new RestitchError(
      'endpoint-without-name',
      `${who} needs a \`name\` or \`key\`: ${REASON}`,
    );
  }
  const members = shape && Array.from(entitiesIn(shape), ({ name }) => name).join();
  throw new RestitchError(
    'list-without-name',
    `The Collection of ${members} needs a \`name\`: ${REASON}`,
  );
};

const REASON = 'it identifies data in exported state.';
