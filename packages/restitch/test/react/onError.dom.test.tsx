import { render } from '@testing-library/react';
import { Controller, Endpoint, type ErrorListener, type SuccessListener } from 'restitch';
import { DataProvider, useController, useDLE } from 'restitch/react';
import { describe, expect, it, vi } from 'vitest';
import { remote } from '../support/screen.js';
import { requests, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

describe.each([true, false])('onError of a DataProvider (with a controller: %s)', (isGiven) => {
  it('is called with every failure, the newest function, until the provider is unmounted', async () => {
    const server = requests();
    const getText = new Endpoint(server.send, { name: 'getText' });
    const save = new Endpoint(server.send, { name: 'save', sideEffect: true });
    const send = remote();
    function Page() {
      const controller = useController();
      send.connect(() => void controller.fetch(save, { id: '1' }));
      return <p>{useDLE(getText, { id: '1' }).error?.message}</p>;
    }
    const [older, newer] = [vi.fn<ErrorListener>(), vi.fn<ErrorListener>()];
    const controller = isGiven ? new Controller() : undefined;
    const page = (onError: ErrorListener) => (
      <DataProvider controller={controller} onError={onError}>
        <Page />
      </DataProvider>
    );
    const { rerender, unmount } = render(page(older), { reactStrictMode: true });
    await server.fail(new Error('no text'));
    expect(older.mock.calls.map(([{ message }, { endpoint }]) => [message, endpoint.name])).toEqual(
      [['no text', 'getText']],
    );
    rerender(page(newer));
    await write(() => send.call());
    await server.fail(new Error('not saved'));
    expect(older).toHaveBeenCalledTimes(1);
    expect(newer.mock.calls.map(([{ message }, { endpoint }]) => [message, endpoint.name])).toEqual(
      [['not saved', 'save']],
    );
    unmount();
    if (controller) {
      await write(() => controller.fetch(save, { id: '2' }).catch(() => {}));
      await server.fail(new Error('not saved'));
      expect(newer).toHaveBeenCalledTimes(1);
    }
  });
});

describe('onSuccess of a DataProvider', () => {
  it('is called once per request with the newest function, and not after a sign-out ended the request', async () => {
    const server = requests();
    const save = new Endpoint(server.send, { name: 'save', sideEffect: true });
    const send = remote();
    const controller = new Controller();
    function Page() {
      const { fetch } = useController();
      send.connect(() => void fetch(save, { id: '1' }));
      return null;
    }
    const [older, newer] = [vi.fn<SuccessListener>(), vi.fn<SuccessListener>()];
    const onError = vi.fn<ErrorListener>();
    const page = (onSuccess: SuccessListener) => (
      <DataProvider controller={controller} onSuccess={onSuccess} onError={onError}>
        <Page />
      </DataProvider>
    );
    const { rerender } = render(page(older), { reactStrictMode: true });
    rerender(page(newer));
    await write(() => send.call());
    await server.respond('saved');
    expect(older).not.toHaveBeenCalled();
    expect(newer.mock.calls.map(([response, { endpoint }]) => [response, endpoint.name])).toEqual([
      ['saved', 'save'],
    ]);
    await write(() => send.call());
    await write(() => controller.resetEntireStore());
    await server.respond('too late');
    expect([newer.mock.calls.length, onError.mock.calls.length]).toEqual([1, 0]);
  });
});
