import { warnMisspelt } from '../errors/misspelt.js';

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

/**
 * Warns about options of a schema that are probably misspelled. Only in development: see
 * `warnMisspelt`.
 */
export function warnOptions(owner: Owner, given: object): void {
  warnMisspelt(owner, Object.keys(given), OPTIONS[owner]);
}
