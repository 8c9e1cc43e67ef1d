import { memo, startTransition, useState, useTransition, ViewTransition } from 'react';
import { Controller, Endpoint } from 'restitch';
import { useQuery } from 'restitch/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { burn, inClick, open, remote, type Screen, turn } from '../support/screen.js';
import { counter, hasViewTransition, User } from '../support/reactWorld.js';

beforeEach(() => {
  vi.spyOn(console, 'error');
  vi.spyOn(console, 'warn');
});
afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

const name = (controller: Controller, id: string, value: string): void =>
  controller.set(User, { id }, { id, name: value });

const slow = counter();

/** A reader that takes a while to render. */
const Slow = memo(({ id }: { id: string }) => {
  const user = useQuery(User, { id });
  slow.add();
  burn(10);
  return <i>{user?.name} </i>;
});

const count = 8;

// Not more: React warns in development where one transition updates over ten components directly.
const many = (id: string) =>
  Array.from({ length: count }, (_, index) => <Slow key={index} id={id} />);

/** Goes on while React is in the middle of rendering the slow readers. */
async function inTheMiddle(): Promise<void> {
  const start = slow.count;
  while (slow.count < start + 3) await turn();
  expect(slow.count).toBeLessThan(start + count);
}

/** Goes on when a frame was painted that comes after all work. */
async function settled(page: Screen): Promise<void> {
  for (let renders = -1; renders !== slow.count;) {
    renders = slow.count;
    const frame = page.frame();
    while (page.frame() < frame + 5) await turn();
  }
}

const Quick = ({ id }: { id: string }) => <i>{useQuery(User, { id })?.name} </i>;

/** The different words of each painted frame, one entry per change. */
const painted = (page: Screen): string[] =>
  page.frames
    .map(({ text }) => [...new Set(text.split(/\s+/).filter(Boolean))].toSorted().join(' '))
    .filter((words, index, all) => words !== '' && words !== all[index - 1]);

/** How many readers show what, as "8 a0, 1 b1". */
const summary = (words: readonly string[]): string =>
  [...new Set(words)].map((word) => `${words.filter((w) => w === word).length} ${word}`).join();

function world(): Controller {
  const controller = new Controller();
  name(controller, '1', 'a0');
  name(controller, '2', 'b0');
  return controller;
}

describe('a write in the middle of a transition that mounts many readers', () => {
  it('never paints two values of one row', async () => {
    const controller = world();
    const show = remote();
    function Page() {
      const [current, setShown] = useState(false);
      show.connect(() => startTransition(() => setShown(true)));
      return current ? many('1') : 'nothing';
    }
    const page = open(<Page />, controller);
    await page.until((text) => text === 'nothing');
    show.call();
    await inTheMiddle();
    inClick(() => name(controller, '1', 'a1'));
    await page.until((text) => text.includes('a1'));
    expect(painted(page)).toEqual(['nothing', 'a1']);
  });
});

describe('a write inside a transition', () => {
  it('lets timers run while it renders, with isPending', async () => {
    const controller = world();
    const write = remote();
    function Page() {
      const [isPending, start] = useTransition();
      write.connect(() => start(() => name(controller, '1', 'a1')));
      return (
        <>
          {isPending ? 'pending ' : 'idle '}
          {many('1')}
        </>
      );
    }
    const page = open(<Page />, controller);
    await page.until((text) => text.includes('a0'));
    let tasks = 0;
    write.call();
    while (!page.frames.at(-1)?.text.includes('a1')) {
      await turn();
      if (page.element.innerText.includes('pending')) tasks += 1;
    }
    // Rendering in one go would let none through.
    expect(tasks).toBeGreaterThan(count / 2);
    expect(painted(page)).toContain('a0 pending');
    expect(painted(page).at(-1)).toBe('a1 idle');
  });

  it('keeps an input responsive while it renders: typed text is painted before it', async () => {
    const controller = world();
    function Typing() {
      const [text, setText] = useState('');
      return (
        <label>
          {`[${text}] `}
          <input value={text} onChange={(event) => setText(event.target.value)} />
        </label>
      );
    }
    const page = open(
      <>
        <Typing />
        {many('1')}
      </>,
      controller,
    );
    await page.until((text) => text.includes('a0'));
    startTransition(() => name(controller, '1', 'a1'));
    await inTheMiddle();
    const input = page.element.querySelector('input');
    input?.focus();
    document.execCommand('insertText', false, 'typed');
    await page.until((text) => text.includes('a1'));
    const typed = page.frames.find(({ text }) => text.includes('[typed]'));
    expect(typed?.text).toContain('a0');
    expect(painted(page).at(-1)).toBe('[typed] a1');
  });

  it('is painted everywhere in the frame in which a reader of the row is mounted urgently', async () => {
    const controller = world();
    const mount = remote();
    function Page() {
      const [mounted, setMounted] = useState(false);
      mount.connect(() => setMounted(true));
      return (
        <>
          {many('1')}
          {mounted && <Quick id="1" />}
        </>
      );
    }
    const page = open(<Page />, controller);
    await page.until((text) => text.includes('a0'));
    startTransition(() => name(controller, '1', 'a1'));
    await inTheMiddle();
    inClick(mount.call);
    await page.until((text) => text.includes('a1'));
    await settled(page);
    const frames = page.frames.map(({ text }) => text.split(/\s+/).filter(Boolean));
    expect(frames.filter((words) => words.length > 0).map(summary)).toEqual([
      `${count} a0`,
      `${count + 1} a1`,
    ]);
  });

  it('never paints a mix with an urgent write of another row meanwhile', async () => {
    const controller = world();
    const page = open(
      <>
        {many('1')}
        <Quick id="2" />
      </>,
      controller,
    );
    await page.until((text) => text.includes('a0'));
    startTransition(() => name(controller, '1', 'a1'));
    await inTheMiddle();
    inClick(() => name(controller, '2', 'b1'));
    await page.until((text) => text.includes('b1'));
    await settled(page);
    expect(painted(page)).toEqual(['a0 b0', 'a1 b1']);
  });

  it('never paints a mix with an urgent write in the same event', async () => {
    const controller = world();
    const page = open(
      <>
        {many('1')}
        <Quick id="2" />
      </>,
      controller,
    );
    await page.until((text) => text.includes('a0'));
    startTransition(() => name(controller, '1', 'a1'));
    inClick(() => name(controller, '2', 'b1'));
    await page.until((text) => text.includes('b1'));
    await settled(page);
    expect(painted(page)).toEqual(['a0 b0', 'a1 b1']);
  });

  /** Shows `a0` in a view transition. */
  async function openAnimated() {
    const controller = world();
    const animate = vi.fn();
    const page = open(
      <ViewTransition onUpdate={animate}>
        <p>
          <Quick id="1" />
        </p>
      </ViewTransition>,
      controller,
    );
    await page.until((text) => text.includes('a0'));
    return { controller, animate, page };
  }

  it.runIf(hasViewTransition)('animates a <ViewTransition>, an urgent one does not', async () => {
    const { controller, animate, page } = await openAnimated();
    inClick(() => name(controller, '1', 'a1'));
    await page.until((text) => text.includes('a1'));
    expect(animate).not.toHaveBeenCalled();
    startTransition(() => name(controller, '1', 'a2'));
    await page.until((text) => text.includes('a2'));
    await expect.poll(() => animate).toHaveBeenCalledTimes(1);
  });

  it.runIf(hasViewTransition)('animates an optimistic update', async () => {
    const { controller, page, animate } = await openAnimated();
    const rename = new Endpoint(() => new Promise<User>(() => {}), {
      name: 'renameAnimated',
      sideEffect: true,
      schema: User,
      getOptimisticResponse: () => ({ id: '1', name: 'a1' }),
    });
    startTransition(() => void controller.fetch(rename));
    await page.until((text) => text.includes('a1'));
    await expect.poll(() => animate).toHaveBeenCalledTimes(1);
  });

  it.runIf(hasViewTransition)('animates the readers that it mounts as well', async () => {
    const controller = world();
    const [update, enter] = [vi.fn(), vi.fn()];
    const show = remote();
    function Page() {
      const [current, setShown] = useState(false);
      show.connect(() =>
        startTransition(() => {
          name(controller, '1', 'a1');
          setShown(true);
        }),
      );
      return (
        <>
          <ViewTransition onUpdate={update}>
            <p>
              <Quick id="1" />
            </p>
          </ViewTransition>
          {current && (
            <ViewTransition onEnter={enter}>
              <p>
                <Quick id="2" />
              </p>
            </ViewTransition>
          )}
        </>
      );
    }
    const page = open(<Page />, controller);
    await page.until((text) => text.includes('a0'));
    show.call();
    await page.until((text) => text.includes('b0'));
    await vi.waitFor(() =>
      expect([update, enter].map(({ mock }) => mock.calls.length)).toEqual([1, 1]),
    );
    expect(painted(page)).toEqual(['a0', 'a1 b0']);
  });
});
