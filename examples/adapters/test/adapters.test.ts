import { Controller, Endpoint, Entity, type ViewSnapshot } from 'restitch';
import { createSignal } from 'solid-js';
import { insert, render } from 'solid-js/web';
import { flushSync, mount, unmount } from 'svelte';
import { writable } from 'svelte/store';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp, h, nextTick, ref } from 'vue';
import { createResult } from '../src/solid.js';
import { useEndpoint } from '../src/vue.js';
import UserName from './UserName.svelte';

class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

const names: Record<string, string> = { 1: 'Ada', 2: 'Grace' };

function open() {
  let requests = 0;
  const endpoint = new Endpoint(
    async ({ id }: { id: string }) => {
      requests += 1;
      return { id, name: names[id] ?? '' };
    },
    { name: 'getUser', schema: User },
  );
  const controller = new Controller();
  return { controller, endpoint, requests: () => requests };
}

type World = ReturnType<typeof open>;

/** One component that shows a user's name, in some framework. */
interface Screen {
  ask(id: string): void;
  /** The number of its renders. */
  renders(): number;
  leave(): void;
}

const textOf = (result: ViewSnapshot<User>): string =>
  result.status === 'ready' ? result.data.name : result.status;

function vueScreen({ controller, endpoint }: World, target: Element): Screen {
  const id = ref('1');
  let renders = 0;
  const app = createApp({
    setup() {
      // oxlint-disable-next-line react-hooks/rules-of-hooks -- the set-up of a Vue component, not of a React one
      const result = useEndpoint(controller, endpoint, () => [{ id: id.value }]);
      return () => {
        renders += 1;
        return h('b', textOf(result.value));
      };
    },
  });
  app.mount(target);
  return { ask: (next) => (id.value = next), renders: () => renders, leave: () => app.unmount() };
}

function solidScreen({ controller, endpoint }: World, target: Element): Screen {
  const [id, ask] = createSignal('1');
  let renders = 0;
  const leave = render(() => {
    const result = createResult(controller, endpoint, () => [{ id: id() }]);
    const element = document.createElement('b');
    insert(element, () => {
      renders += 1;
      return textOf(result());
    });
    return element;
  }, target);
  return { ask: (next) => void ask(next), renders: () => renders, leave };
}

function svelteScreen({ controller, endpoint }: World, target: Element): Screen {
  const current = writable('1');
  const renders = { count: 0 };
  const component = mount(UserName, { target, props: { controller, endpoint, current, renders } });
  flushSync();
  return {
    ask: (id) => flushSync(() => current.set(id)),
    renders: () => renders.count,
    leave: () => void unmount(component),
  };
}

afterEach(() => document.body.replaceChildren());

describe.each([
  ['Vue', vueScreen],
  ['Solid', solidScreen],
  ['Svelte', svelteScreen],
])('%s', (_, show) => {
  it('shows what is fetched, then what is written, and renders only for what it shows', async () => {
    const world = open();
    const { controller, requests } = world;
    const screen = show(world, document.body);
    expect(document.body.textContent).toBe('pending');
    await vi.waitFor(() => expect(document.body.textContent).toBe('Ada'));
    controller.set(User, { id: '1' }, { name: 'Augusta' });
    await vi.waitFor(() => expect(document.body.textContent).toBe('Augusta'));
    const before = screen.renders();
    controller.set(User, { id: '2' }, { name: 'somebody else' });
    await nextTick();
    await Promise.resolve();
    expect([screen.renders(), requests()]).toEqual([before, 1]);
    screen.leave();
  });

  it('fetches for other arguments when they change, and ignores changes of the old ones', async () => {
    const world = open();
    const { controller, requests } = world;
    const screen = show(world, document.body);
    await vi.waitFor(() => expect(document.body.textContent).toBe('Ada'));
    screen.ask('2');
    await vi.waitFor(() => expect(document.body.textContent).toBe('Grace'));
    const before = screen.renders();
    controller.set(User, { id: '1' }, { name: 'Augusta' });
    await nextTick();
    expect([screen.renders(), requests()]).toEqual([before, 2]);
    screen.ask('1');
    await vi.waitFor(() => expect(document.body.textContent).toBe('Augusta'));
    expect(requests()).toBe(2);
    screen.leave();
  });

  it('releases its subscription when it is disposed of', async () => {
    const world = open();
    const { controller, endpoint, requests } = world;
    const screen = show(world, document.body);
    await vi.waitFor(() => expect(document.body.textContent).toBe('Ada'));
    const before = screen.renders();
    screen.leave();
    await vi.waitFor(() => expect(document.body.textContent).toBe(''));
    controller.set(User, { id: '1' }, { name: 'Augusta' });
    controller.expireAll(endpoint);
    await nextTick();
    // It has no subscriber: nothing is fetched again.
    expect([screen.renders(), requests()]).toEqual([before, 1]);
  });
});
