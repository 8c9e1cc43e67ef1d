import { warnMisspelled } from '../errors/misspelled.js';

type Owner = 'Collection' | 'EntityMixin';

const OPTIONS: Readonly<Record<Owner, readonly string[]>> = {
  Collection: [
    'argsKey',
    'createCollectionFilter',
    'name',
    'nestKey',
    'nonFilterArgumentKeys',
    'schemaAttribute',
  ],
  EntityMixin: ['key', 'pk', 'schema'],
};

/** Call it only in development: see `misspelled.ts`. */
export function warnOptions(owner: Owner, given: object): void {
  warnMisspelled(owner, Object.keys(given), OPTIONS[owner]);
}
