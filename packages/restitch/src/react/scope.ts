import { type Context, createContext, useContext } from 'react';
import { RestitchError } from '../index.js';
import type { Attempts } from './attempts.js';
import type { Root } from './root.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** What surrounds a reader. One context for all of it: each one that a component reads makes renders beside it dearer. */
export interface Scope {
  readonly root: Root;
  /** Tells the nearest `AsyncBoundary` what is waited for. */
  readonly wait?: Attempts['wait'] | undefined;
  /** The attempts of the nearest `AsyncBoundary`, for cancelling readers that were never mounted. */
  readonly attempts?: Attempts | undefined;
}

export const ScopeContext: Context<Scope | undefined> = createContext<Scope | undefined>(undefined);

/** What surrounds the component; throws where there is no provider. */
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
