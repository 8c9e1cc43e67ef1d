import { Activity, startTransition, useState } from 'react';
import { Controller } from 'restitch';
import { useQuery } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { burn, inClick, open, remote } from '../support/screen.js';
import { hasActivity, User } from '../support/reactWorld.js';

const rename = (controller: Controller, name: string): void =>
  controller.set(User, { id: '1' }, { id: '1', name });

function world(): Controller {
  const controller = new Controller();
  rename(controller, 'a0');
  return controller;
}

const Name = ({ of }: { of: string }) => <p>{`${of}:${useQuery(User, { id: '1' })?.name}`}</p>;

const words = (text: string): string => text.split(/\s+/).filter(Boolean).join(' ');

describe('two React roots that share a controller', () => {
  it('paint an urgent write in the same frame', async () => {
    const controller = world();
    const pages = [open(<Name of="left" />, controller), open(<Name of="right" />, controller)];
    await Promise.all(pages.map((page) => page.until((text) => text.includes('a0'))));
    inClick(() => rename(controller, 'a1'));
    await Promise.all(pages.map((page) => page.until((text) => text.includes('a1'))));
    const [left, right] = pages.map(({ frames }) => frames.at(-1)?.time ?? 0);
    // Both record in the same frame, one after the other.
    expect(Math.abs((left ?? 0) - (right ?? 0))).toBeLessThan(8);
  });

  it('each keep to one value while the other one renders a transition', async () => {
    const controller = world();
    const mount = remote();
    const Slow = ({ of }: { of: string }) => {
      burn(15);
      return <Name of={of} />;
    };
    function Left() {
      const [mounted, setMounted] = useState(false);
      mount.connect(() => setMounted(true));
      return (
        <>
          {['1', '2', '3', '4'].map((key) => (
            <Slow key={key} of="left" />
          ))}
          {mounted && <Name of="left" />}
        </>
      );
    }
    const left = open(<Left />, controller);
    const right = open(<Name of="right" />, controller);
    await Promise.all([left, right].map((page) => page.until((text) => text.includes('a0'))));
    startTransition(() => rename(controller, 'a1'));
    inClick(mount.call);
    await Promise.all([left, right].map((page) => page.until((text) => text.includes('a1'))));
    for (const { text } of [...left.frames, ...right.frames]) {
      expect(text.includes('a0') && text.includes('a1')).toBe(false);
    }
  });
});

describe.runIf(hasActivity)('a reader in an <Activity>', () => {
  it('that was hidden paints the current value in its first frame', async () => {
    const controller = world();
    const show = remote<['visible' | 'hidden']>();
    function Page() {
      const [mode, setMode] = useState<'visible' | 'hidden'>('visible');
      show.connect(setMode);
      return (
        <>
          <p>{mode}</p>
          <Activity mode={mode}>
            <Name of="inside" />
          </Activity>
        </>
      );
    }
    const page = open(<Page />, controller);
    await page.until((text) => text.includes('inside:a0'));
    show.call('hidden');
    await page.until((text) => words(text) === 'hidden');
    rename(controller, 'a1');
    show.call('visible');
    await page.until((text) => text.includes('inside'));
    const texts = page.frames.map(({ text }) => words(text)).filter(Boolean);
    expect(texts).toEqual(['visible inside:a0', 'hidden', 'visible inside:a1']);
  });
});
