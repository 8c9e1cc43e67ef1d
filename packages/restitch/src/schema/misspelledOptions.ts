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

/** Warns of misspelled options. Call it only in development: see `warnMisspelled`. */
export function warnOptions(owner: Owner, given: object): void {
  warnMisspelled(owner, Object.keys(given), OPTIONS[owner]);
}
