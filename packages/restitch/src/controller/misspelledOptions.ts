import { warnMisspelled } from '../errors/misspelled.js';
import type { ControllerOptions, ResetOptions } from './ControllerOptions.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

const OPTIONS = [
  'dataExpiryLength',
  'environment',
  'errorExpiryLength',
  'managers',
  'maxEntities',
  'onError',
  'onSuccess',
  'sweep',
];

export function checkOptions(given: ControllerOptions): void {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnMisspelled('Controller', Object.keys(given), OPTIONS);
    warnMisspelled('sweep', Object.keys(Object(given.sweep)), ['interval', 'lifetimes']);
  }
}

export function checkReset(given: ResetOptions): void {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    warnMisspelled('resetEntireStore', Object.keys(given), ['refetch']);
  }
}
