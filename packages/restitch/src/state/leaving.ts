import { RestitchError } from '../errors/RestitchError.js';
import { isOwnText } from '../schema/identity.js';
import type { Shape } from '../schema/shapes.js';
import { entitiesIn } from '../schema/signature.js';

/**
 * Gives a text as it stands in exported state: a cache key, the key of a table, a signature. `shape` is what the text is about,
 * `endpoint` the name of who asked.
 */
export type Naming = (text: string, shape: Shape | undefined, endpoint?: string) => string;

/**
 * A class without a key, an endpoint or a list without a name is identified by itself. That means nothing, or something else, in
 * another program.
 */
export const refuseUnnamed: Naming = (text, shape, endpoint) => {
  if (!isOwnText(text)) {
    return text;
  }
  for (const { table, name } of shape ? entitiesIn(shape) : []) {
    if (isOwnText(table)) {
      throw new RestitchError('entity-without-key', `${name} needs a \`static key\`: ${LEAVES}`);
    }
  }
  if (endpoint !== undefined) {
    const who = endpoint || 'An endpoint';
    throw new RestitchError(
      'endpoint-without-name',
      `${who} needs a \`name\` or \`key\`: ${LEAVES}`,
    );
  }
  const members = shape && Array.from(entitiesIn(shape), ({ name }) => name).join();
  throw new RestitchError(
    'list-without-name',
    `The Collection of ${members} needs a \`name\`: ${LEAVES}`,
  );
};

const LEAVES = 'state that leaves the program holds data of it.';
