/** Options of hooks, providers and managers that are probably misspelled are reported in development, once. */
import { cleanup, render } from '@testing-library/react';
import { DevToolsManager, LogoutManager, StreamManager } from 'restitch';
import { DataProvider, useLoading } from 'restitch/react';
import { afterEach, expect, it } from 'vitest';
import { watchConsole } from '../support/reactWorld.js';

const logged = watchConsole();
afterEach(cleanup);

const notified = (owner: string, wrong: string, meant: string) =>
  `${owner}: \`${wrong}\` is unknown. Did you mean \`${meant}\`?`;

it.each([
  ['onSucces', 'onSuccess'],
  ['onsuccess', 'onSuccess'],
  ['onEror', 'onError'],
])('%s of useLoading is reported with the one that was meant: %s', (wrong, meant) => {
  function Save() {
    const [save] = useLoading(async () => 1, { [wrong]: () => {} });
    return <button onClick={() => void save()}>Save</button>;
  }
  render(<Save />).rerender(<Save />);
  expect(logged.splice(0)).toEqual([notified('useLoading', wrong, meant)]);
});

it('a list of dependencies of useLoading is none', () => {
  function Save() {
    const [save] = useLoading(async () => 1, [1, 'onSucces']);
    return <button onClick={() => void save()}>Save</button>;
  }
  render(<Save />);
  expect(logged.splice(0)).toEqual([]);
});

it.each([
  ['manager', 'managers'],
  ['onErorr', 'onError'],
  ['controler', 'controller'],
])('%s of DataProvider is reported with the one that was meant: %s', (wrong, meant) => {
  render(<DataProvider {...{ [wrong]: undefined }} />);
  expect(logged.splice(0)).toEqual([notified('DataProvider', wrong, meant)]);
});

it('options of managers are reported with the one that was meant', () => {
  // The casts stand for programs without types, which refuse these.
  void new LogoutManager({ handleLogut: () => {} } as object);
  void new DevToolsManager({ nmae: 'shop' } as object);
  void new StreamManager({ onMesage: () => {} } as never);
  expect(logged.splice(0)).toEqual([
    notified('LogoutManager', 'handleLogut', 'handleLogout'),
    notified('DevToolsManager', 'nmae', 'name'),
    notified('StreamManager', 'onMesage', 'onMessage'),
  ]);
});
