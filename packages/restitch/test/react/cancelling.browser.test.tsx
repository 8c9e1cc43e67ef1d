import { startTransition, useState } from 'react';
import { RestEndpoint, type RestGenerics } from 'restitch';
import { AsyncBoundary, useCancelling, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { openWorld } from '../support/browserWorld.js';
import { burn, open, remote } from '../support/screen.js';

/** Remembers the signal of each request that it sends. */
class Watched<O extends RestGenerics = any> extends RestEndpoint<O> {
  override fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    const url = typeof input === 'string' ? input : input.url;
    if (init.signal) watched.push({ id: url.split('/').pop() ?? '', signal: init.signal });
    return super.fetchResponse(input, init);
  }
}

const watched: { readonly id: string; readonly signal: AbortSignal }[] = [];
const states = (): string[] =>
  watched.map(({ id, signal }) => `${id}${signal.aborted ? ' aborted' : ''}`);

/** Texts that the server holds back until they are released. */
// The return type is what the class infers from its options; naming it would repeat them.
async function texts(...ids: readonly string[]) {
  watched.length = 0;
  const world = await openWorld(
    Object.fromEntries(
      ids.map((id) => [`GET /texts/${id}`, { held: true, body: { text: `text ${id}` } }]),
    ),
  );
  const getText = new Watched({ urlPrefix: world.url, path: '/texts/:id' });
  return { getText, release: (id: string) => world.release(`GET /texts/${id}`) };
}

describe('useCancelling in a browser', () => {
  it('aborts the real request of each first load that is no longer wanted, and shows the last', async () => {
    const { getText, release } = await texts('a', 'ab', 'abc');
    const type = remote<[string]>();
    const Hits = ({ id }: { id: string }) => (
      <p>{useSuspense(useCancelling(getText), { id }).text}</p>
    );
    function Search() {
      const [id, setId] = useState('a');
      type.connect(setId);
      return (
        <AsyncBoundary fallback="loading">
          <Hits id={id} />
        </AsyncBoundary>
      );
    }
    const page = open(<Search />);
    await expect.poll(states).toEqual(['a']);
    type.call('ab');
    await expect.poll(states).toEqual(['a aborted', 'ab']);
    startTransition(() => type.call('abc'));
    await expect.poll(states).toEqual(['a aborted', 'ab aborted', 'abc']);
    await release('abc');
    await page.until((text) => text.includes('text abc'));
    expect(states()).toEqual(['a aborted', 'ab aborted', 'abc']);
    expect(page.frames.map(({ text }) => text).filter((text) => /error/i.test(text))).toEqual([]);
  });

  it('keeps the requests of several slow readers below one boundary, each sent once', async () => {
    // A browser keeps six connections to one server; the last one is the test's.
    const ids = Array.from({ length: 5 }, (_, i) => `row${i}`);
    const { getText, release } = await texts(...ids, 'other');
    const change = remote<[string]>();
    function Row({ id }: { id: string }) {
      // Longer than React renders in one go: its attempts are interrupted between rows.
      burn(6);
      return <p>{useSuspense(useCancelling(getText, { id }), { id }).text}</p>;
    }
    function Page() {
      const [third, setThird] = useState('row3');
      change.connect(setThird);
      return (
        <AsyncBoundary fallback="loading">
          {ids.map((id) => (
            <Row key={id} id={id === 'row3' ? third : id} />
          ))}
        </AsyncBoundary>
      );
    }
    const page = open(<Page />);
    await expect.poll(() => states().toSorted()).toEqual(ids.toSorted());
    change.call('other');
    const expected = [...ids.filter((id) => id !== 'row3'), 'row3 aborted', 'other'].toSorted();
    await expect.poll(() => states().toSorted()).toEqual(expected);
    for (const id of [...ids, 'other']) await release(id);
    await page.until((text) => text.includes('text row4') && text.includes('text other'));
    expect(states().toSorted()).toEqual(expected);
  });
});
