/** Direct calls of an endpoint from `useCancelling`, without a controller. */
import { cleanup } from '@testing-library/react';
import { freshFromHeaders, RestEndpoint } from 'restitch';
import { useCancelling, useDLE } from 'restitch/react';
import { afterEach, describe, expect, it } from 'vitest';
import { abortable } from '../support/abortable.js';
import { remote } from '../support/screen.js';
import { serverOfFile } from '../support/server.js';
import { show, write } from '../support/reactWorld.js';

const server = await serverOfFile();
afterEach(cleanup);

describe('a direct call of an endpoint from useCancelling', () => {
  it('cancels the call before it, even with the same arguments, and ends at the unmount', async () => {
    const { getText, states, respond } = abortable();
    const sent: Promise<string>[] = [];
    const ask = remote<[string]>();
    function Search() {
      const search = useCancelling(getText);
      ask.connect((id) => {
        const sending = search({ id });
        sending.catch(() => {});
        sent.push(sending);
      });
      return null;
    }
    const { unmount } = show(<Search />);
    await write(() => ask.call('a'));
    await write(() => ask.call('ab'));
    expect(states()).toEqual(['a aborted', 'ab']);
    await expect(sent[0]).rejects.toMatchObject({ name: 'AbortError' });
    await write(() => ask.call('ab'));
    expect(states()).toEqual(['a aborted', 'ab aborted', 'ab']);
    await respond('AB');
    expect(await sent[2]).toBe('AB');
    await write(() => ask.call('abc'));
    unmount();
    await write(() => {});
    expect(states().at(-1)).toBe('abc aborted');
  });

  it('leaves the data on the screen and its refetches alone', async () => {
    const { getText, states, respond } = abortable();
    const ask = remote();
    function Search() {
      const search = useCancelling(getText);
      ask.connect(() => void search({ id: 'b' }).catch(() => {}));
      return <p>{useDLE(search, { id: 'a' }).data}</p>;
    }
    show(<Search />);
    await respond('A');
    await write(() => ask.call());
    await write(() => ask.call());
    expect(document.body.textContent).toBe('A');
    expect(states()).toEqual(['a', 'b aborted', 'b']);
  });

  it('does not cancel itself in freshFromHeaders', async () => {
    let end = (): void => {};
    server.respond((_, response) => {
      response.setHeader('access-control-allow-origin', '*');
      response.setHeader('cache-control', 'max-age=60');
      response.write('{"hits":');
      end = () => response.end('1}');
    });
    let hasHeaders = false;
    const search = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/search',
      searchParams: { q: '' },
      async send(input: RequestInfo, init: RequestInit) {
        const response = await fetch(input, init);
        hasHeaders = true;
        return response;
      },
    });
    const fresh = freshFromHeaders(search);
    const ask = remote();
    const sent: Promise<unknown>[] = [];
    function Search() {
      const cancelling = useCancelling(fresh);
      ask.connect(() => sent.push(cancelling({ q: 'a' })));
      return null;
    }
    show(<Search />);
    await write(() => ask.call());
    await expect.poll(() => hasHeaders).toBe(true);
    await write(() => {});
    end();
    expect(JSON.parse(String(await sent[0]))).toEqual({ hits: 1 });
  });
});
