import { act, cleanup, render, type RenderResult } from '@testing-library/react';
import * as React from 'react';
import { type ReactNode, StrictMode } from 'react';
import { Controller, Endpoint, Entity } from 'restitch';
import { AsyncBoundary, DataProvider } from 'restitch/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';

export class User extends Entity {
  id = '';
  name = '';
  static override readonly key = 'User';
}

/** The suite runs on React 18.3 too. */
export const hasUse: boolean = 'use' in React;
export const hasActivity: boolean = 'Activity' in React;
export const hasViewTransition: boolean = 'ViewTransition' in React;
/** React 19 holds first content back after a fallback; 18 holds back a fallback that would take content away. */
export const throttlesContent: boolean = Number.parseInt(React.version, 10) >= 19;

export interface Call {
  readonly args: readonly unknown[];
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A function for `new Endpoint`, whose calls the test responds to itself. */
export function requests(): {
  readonly calls: Call[];
  readonly send: (params: { id: string }) => Promise<any>;
  readonly respond: (value: unknown, index?: number) => Promise<void>;
  readonly fail: (error: Error, index?: number) => Promise<void>;
} {
  const calls: Call[] = [];
  const at = (index: number): Call => {
    const call = calls.at(index);
    if (!call) throw new Error(`No request number ${index}; there were ${calls.length}.`);
    return call;
  };
  return {
    calls,
    send: (params) =>
      new Promise((resolve, reject) => calls.push({ args: [params], resolve, reject })),
    respond: (value, index = -1) => act(async () => at(index).resolve(value)),
    fail: (error, index = -1) => act(async () => at(index).reject(error)),
  };
}

/** Counts renders; components may call it, they may not assign to outer variables. */
export interface Counter {
  readonly count: number;
  add(): void;
}

export function counter(): Counter {
  let count = 0;
  return {
    get count() {
      return count;
    },
    add() {
      count += 1;
    },
  };
}

let names = 0;

/** An endpoint for users whose requests the test responds to itself. */
// The return type is what the class infers from its options; naming it would repeat them.
export function userEndpoint() {
  const server = requests();
  const getUser = new Endpoint(server.send, { name: `getUser${(names += 1)}`, schema: User });
  return { ...server, getUser };
}

/** As `userEndpoint`, without a schema: results are plain text. */
export function textEndpoint() {
  const server = requests();
  const send: (params: { id: string }) => Promise<string> = server.send;
  return { ...server, getText: new Endpoint(send, { name: `getText${(names += 1)}` }) };
}

export interface Page extends RenderResult {
  readonly controller: Controller;
}

/** Renders below a provider and a boundary, in Strict Mode unless the options say otherwise. */
export function show(
  children: ReactNode,
  {
    controller = new Controller(),
    strict = true,
  }: { controller?: Controller; strict?: boolean } = {},
): Page {
  const tree = (inner: ReactNode): ReactNode => (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback={<p>loading</p>}>{inner}</AsyncBoundary>
    </DataProvider>
  );
  const wrap = (inner: ReactNode): ReactNode =>
    strict ? <StrictMode>{tree(inner)}</StrictMode> : tree(inner);
  // What a boundary catches is expected; React would log it.
  const result = render(wrap(children), { onCaughtError: () => {} });
  return { ...result, controller, rerender: (inner) => result.rerender(wrap(inner)) };
}

/** Everything React or the library logs in a test of this file fails it, unless taken out of the returned list. */
export function watchConsole(): string[] {
  const logged: string[] = [];
  beforeEach(() => {
    logged.length = 0;
    const log = (...args: unknown[]): void => {
      const text = args.map(String).join(' ');
      // React 18 says so of each error that a boundary catches.
      if (!text.startsWith('The above error occurred')) logged.push(text);
    };
    vi.spyOn(console, 'error').mockImplementation(log);
    vi.spyOn(console, 'warn').mockImplementation(log);
  });
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
    expect(logged).toEqual([]);
  });
  return logged;
}

/** A write from outside React, as a timer or a promise would do it. */
export const write = (fn: () => unknown): Promise<void> =>
  act(async () => {
    fn();
  });
