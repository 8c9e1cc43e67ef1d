import { useState } from 'react';
import { Endpoint } from 'restitch';
import { AsyncBoundary, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { open, remote, type Screen } from '../support/screen.js';
import { throttlesContent } from '../support/reactWorld.js';

let names = 0;

/** An endpoint that responds after 60 ms, and records when it did. */
function slow() {
  const settled = { frame: Number.NaN, time: Number.NaN };
  let page: Screen | undefined;
  const getText = new Endpoint(
    ({ id }: { id: string }) =>
      new Promise<string>((resolve) =>
        setTimeout(() => {
          settled.frame = page?.frame() ?? Number.NaN;
          settled.time = performance.now();
          resolve(`content ${id}`);
        }, 60),
      ),
    { name: `getSlow${(names += 1)}` },
  );
  const Text = ({ id }: { id: string }) => <p>{useSuspense(getText, { id })}</p>;
  return { settled, Text, watch: (on: Screen) => (page = on) };
}

const frameOf = (page: Screen, text: string): number =>
  page.frames.find((frame) => frame.text.includes(text))?.number ?? Number.NaN;

describe('AsyncBoundary', () => {
  it('paints first content within two frames of the response', async () => {
    const { Text, settled, watch } = slow();
    const page = open(
      <AsyncBoundary fallback="loading">
        <Text id="1" />
      </AsyncBoundary>,
    );
    watch(page);
    await page.until((text) => text.includes('content 1'));
    expect(frameOf(page, 'loading')).toBeLessThan(settled.frame);
    expect(frameOf(page, 'content 1') - settled.frame).toBeLessThanOrEqual(2);
  });

  it('paints the content of an urgent parameter change within two frames of the response', async () => {
    const { Text, settled, watch } = slow();
    const change = remote<[string]>();
    function Switch() {
      const [id, setId] = useState('1');
      change.connect(setId);
      return (
        <AsyncBoundary fallback="loading">
          <Text id={id} />
        </AsyncBoundary>
      );
    }
    const page = open(<Switch />);
    watch(page);
    await page.until((text) => text.includes('content 1'));
    change.call('2');
    if (throttlesContent) await page.until((text) => text.includes('loading'));
    await page.until((text) => text.includes('content 2'));
    expect(frameOf(page, 'content 2') - settled.frame).toBeLessThanOrEqual(2);
    const current = page.frames.map((frame) => frame.text).filter(Boolean);
    if (throttlesContent) expect(current).toEqual(['loading', 'content 1', 'loading', 'content 2']);
    else expect(current.filter((text) => text !== 'loading')).toEqual(['content 1', 'content 2']);
  });

  it('reveals independently of another boundary', async () => {
    const first = slow();
    let answerSecond: (text: string) => void = () => {};
    const getSecond = new Endpoint(
      () => new Promise<string>((resolve) => (answerSecond = resolve)),
      {
        name: 'getSecond',
      },
    );
    const Second = () => <p>{useSuspense(getSecond)}</p>;
    const page = open(
      <>
        <AsyncBoundary fallback={<p>loading 1</p>}>
          <first.Text id="1" />
        </AsyncBoundary>
        <AsyncBoundary fallback={<p>loading 2</p>}>
          <Second />
        </AsyncBoundary>
      </>,
    );
    first.watch(page);
    await page.until((text) => text.includes('content 1'));
    expect(page.frames.at(-1)?.text).toContain('loading 2');
    expect(frameOf(page, 'content 1') - first.settled.frame).toBeLessThanOrEqual(2);
    answerSecond('content 2');
    const asked = page.frame();
    await page.until((text) => text.includes('content 2'));
    expect(frameOf(page, 'content 2') - asked).toBeLessThanOrEqual(2);
  });

  it.runIf(throttlesContent)(
    "leaves React's throttle in place where `throttle` is set",
    async () => {
      const { Text, settled, watch } = slow();
      const page = open(
        <AsyncBoundary fallback="loading" throttle>
          <Text id="1" />
        </AsyncBoundary>,
      );
      watch(page);
      await page.until((text) => text.includes('content 1'));
      const painted = page.frames.find((frame) => frame.text.includes('content 1'))?.time ?? 0;
      expect(painted - settled.time).toBeGreaterThan(100);
    },
  );
});
