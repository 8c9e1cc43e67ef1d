import { warnMisspelt } from '../errors/misspelt.js';

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

/** Warns in development about probably misspelled props and options; see `warnMisspelt`. */
export function warnOptions(owner: Owner, given: object): void {
  warnMisspelt(owner, Object.keys(given), OPTIONS[owner]);
}
