import { type Context, createContext, useContext } from 'react';
import { RestitchError } from '../index.js';
import type { Attempts } from './boundaryAttempts.js';
import type { Root } from './root.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** Optimization: one context for all values, because each context slows down every render. */
export interface Scope {
  readonly root: Root;
  readonly wait?: Attempts['wait'] | undefined;
  readonly attempts?: Attempts | undefined;
}

export const ScopeContext: Context<Scope | undefined> = createContext<Scope | undefined>(undefined);

/** @throws RestitchError `no-provider` without a `DataProvider`. */
export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) {
    const error = new RestitchError(
      'no-provider',
      (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production')
        ? 'A restitch hook was used outside of <DataProvider>. Wrap your application once: <DataProvider><App /></DataProvider>, imported from "restitch/react".'
        : '',
    );
    // oxlint-disable-next-line eslint/no-console -- a boundary may swallow what is thrown here
    console.error(`restitch: ${error.message}`);
    throw error;
  }
  return scope;
}
