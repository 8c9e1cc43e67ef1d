import { act } from '@testing-library/react';
import { startTransition, use, useState } from 'react';
import { Controller } from 'restitch';
import { useQuery } from 'restitch/react';
import { expect, it } from 'vitest';
import { collectGarbage } from '../support/heap.js';
import { remote } from '../support/screen.js';
import { hasUse, show, User, watchConsole } from '../support/reactWorld.js';

watchConsole();

const never = new Promise<never>(() => {});

it.runIf(hasUse)(
  'a transition that never ends keeps no replaced values without a reader',
  async () => {
    const controller = new Controller();
    const rename = (id: string, name: string): void => controller.set(User, { id }, { id, name });
    rename('1', 'Ada 0');
    rename('2', 'Bob 0');
    const wait = remote();
    const Name = ({ id }: { id: string }) => <p>{useQuery(User, { id })?.name}</p>;
    function Waiting() {
      const [waits, setWaits] = useState(0);
      wait.connect(() => setWaits((count) => count + 1));
      if (waits > 0) use(never);
      return null;
    }
    const { container } = show(
      <>
        <Name id="1" />
        <Waiting />
      </>,
      { controller },
    );
    const seen: WeakRef<User>[] = [];
    const look = (): void => {
      const bob = controller.get(User, { id: '2' });
      if (bob) seen.push(new WeakRef(bob));
    };
    for (const name of ['1', '2', '3', '4', '5']) {
      look();
      await act(async () =>
        startTransition(() => {
          wait.call();
          rename('1', `Ada ${name}`);
          rename('2', `Bob ${name}`);
        }),
      );
    }
    look();
    expect(container.textContent).toBe('Ada 0');
    // What a weak reference was asked for in one job is held until it ends.
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    const held = seen.map((ref) => ref.deref()?.name);
    expect(held).toEqual([undefined, undefined, undefined, undefined, undefined, 'Bob 5']);
  },
);
