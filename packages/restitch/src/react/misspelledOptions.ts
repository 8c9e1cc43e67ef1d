import { warnMisspelled } from '../errors/misspelled.js';

type Owner = 'DataProvider' | 'useLoading' | 'useMutation';

const OPTIONS: Readonly<Record<Owner, readonly string[]>> = {
  DataProvider: [
    'children',
    'controller',
    'managers',
    'onError',
    'onSuccess',
    'refetchOnFocus',
    'retry',
  ],
  useLoading: ['onError', 'onSuccess'],
  useMutation: ['onError', 'onSettled', 'onSuccess'],
};

/** Must be called only in development. */
export function warnOptions(owner: Owner, given: object): void {
  warnMisspelled(owner, Object.keys(given), OPTIONS[owner]);
}
