import { startTransition, useState, useTransition } from 'react';
import { Controller, Endpoint } from 'restitch';
import { AsyncBoundary, useSuspense } from 'restitch/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { inClick, open, remote, type Screen } from '../support/screen.js';
import { requests } from '../support/reactWorld.js';

beforeEach(() => {
  vi.spyOn(console, 'error');
  vi.spyOn(console, 'warn');
});
afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

let names = 0;

/** A page that shows the text of an id below a boundary, beside what says whether a transition is pending. */
async function world() {
  const { calls, send } = requests();
  const getText = new Endpoint((params: { id: string }): Promise<string> => send(params), {
    name: `getText${(names += 1)}`,
  });
  const controller = new Controller();
  const change = remote<[string]>();
  const changeLater = remote<[() => void]>();
  const Text = ({ id }: { id: string }) => (
    <p>
      {id} is {useSuspense(getText, { id })}
    </p>
  );
  function Page() {
    const [id, setId] = useState('a');
    const [isPending, start] = useTransition();
    change.connect(setId);
    changeLater.connect(start);
    return (
      <>
        {isPending && <p>pending</p>}
        <AsyncBoundary fallback={<p>loading</p>}>
          <Text id={id} />
        </AsyncBoundary>
      </>
    );
  }
  const page = open(<Page />, controller);
  const sent = (count: number) => expect.poll(() => calls).toHaveLength(count);
  await sent(1);
  // A busy machine paints the fallback later than the request is sent.
  await page.until((text) => text === 'loading');
  calls[0]?.resolve('A');
  await page.until((text) => text === 'a is A');
  return {
    page,
    controller,
    getText,
    calls,
    sent,
    setId: change.call,
    inTransition: changeLater.call,
  };
}

/** What was painted, one entry per change; the first entries are those of the first load. */
const painted = (page: Screen): string[] =>
  page.frames.map(({ text }) => text.replaceAll(/\s+/g, ' ').trim()).filter(Boolean);

/** Long enough for what React may still have in hand. */
async function restOf(page: Screen): Promise<void> {
  const frame = page.frame();
  await expect.poll(() => page.frame()).toBeGreaterThan(frame + 3);
}

const first = ['loading', 'a is A'];

describe('other parameters', () => {
  it('in a transition leave the old text on the screen until the new one is there', async () => {
    const { page, calls, sent, setId, inTransition } = await world();
    inClick(() => inTransition(() => setId('b')));
    await page.until((text) => text.includes('pending'));
    await sent(2);
    calls[1]?.resolve('B');
    await page.until((text) => text.includes('b is B'));
    await restOf(page);
    expect(painted(page)).toEqual([...first, 'pending a is A', 'b is B']);
    expect(calls).toHaveLength(2);
  });

  it('urgently show the fallback, and never the old text under them', async () => {
    const { page, calls, sent, setId } = await world();
    inClick(() => setId('b'));
    await sent(2);
    await page.until((text) => text === 'loading');
    calls[1]?.resolve('B');
    await page.until((text) => text.includes('b is B'));
    inClick(() => setId('a'));
    await page.until((text) => text.includes('a is A'));
    await restOf(page);
    expect(painted(page)).toEqual([...first, 'loading', 'b is B', 'a is A']);
    expect(calls).toHaveLength(2);
  });
});

describe('invalidating mounted data', () => {
  it('urgently shows one fallback and sends one request', async () => {
    const { page, controller, getText, calls, sent } = await world();
    inClick(() => void controller.invalidate(getText, { id: 'a' }));
    await sent(2);
    await page.until((text) => text === 'loading');
    calls[1]?.resolve('A again');
    await page.until((text) => text.includes('A again'));
    await restOf(page);
    expect(painted(page)).toEqual([...first, 'loading', 'a is A again']);
    expect(calls).toHaveLength(2);
  });

  it('in a transition leaves it on the screen until the response is there', async () => {
    const { page, controller, getText, calls, sent, inTransition } = await world();
    inClick(() => inTransition(() => void controller.invalidate(getText, { id: 'a' })));
    await sent(2);
    await page.until((text) => text.includes('pending'));
    calls[1]?.resolve('A again');
    await page.until((text) => text.includes('A again'));
    await restOf(page);
    // The response itself is urgent: a busy machine may paint it before the transition ends.
    const current = painted(page).filter((text) => text !== 'pending a is A again');
    expect(current).toEqual([...first, 'pending a is A', 'a is A again']);
    expect(calls).toHaveLength(2);
  });

  it('differs from expiring: no fallback, one request', async () => {
    const { page, controller, getText, calls, sent } = await world();
    inClick(() => controller.expireAll(getText));
    await sent(2);
    await restOf(page);
    startTransition(() => calls[1]?.resolve('A again'));
    await page.until((text) => text.includes('A again'));
    await restOf(page);
    expect(painted(page)).toEqual([...first, 'a is A again']);
    expect(calls).toHaveLength(2);
  });
});
