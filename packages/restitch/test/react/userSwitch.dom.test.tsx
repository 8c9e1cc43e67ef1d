/** After a switch of the user and a reset, no component sends requests of the last user. */
import { act } from '@testing-library/react';
import * as React from 'react';
import { Activity, type ReactNode, useEffect } from 'react';
import { logout, RestEndpoint } from 'restitch';
import { AsyncBoundary, useController, useFetch, useLive, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { hasActivity, hasUse, show, watchConsole } from '../support/reactWorld.js';
import { mail, open, pages, SessionData, world } from '../support/userWorld.js';

watchConsole();

describe.each(Object.entries(pages))('%s: after a switch of the user', (kind, pageOf) => {
  it.each([
    ['', {}],
    [' beside the effect that resets', { beside: true }],
    [' in Strict Mode', { strict: true }],
  ])('asks only for data of the new user%s', async (_, options) => {
    const app = world();
    const { clock, sent, slow, text, pass, respond } = app;
    const { signIn, unmount } = await open(app, pageOf(app), options);
    await pass(1_500);
    expect(text()).toBe(mail('ada'));
    sent.length = 0;
    slow.add('bob');
    await signIn('bob');
    await pass(5_000);
    expect([text(), sent.filter((user) => user !== 'bob')]).toEqual(['loading', []]);
    await respond('bob');
    expect(text()).toBe(mail('bob'));
    sent.length = 0;
    await pass(3_500);
    expect([text(), new Set(sent), sent.length >= 3]).toEqual([
      mail('bob'),
      new Set(['bob']),
      true,
    ]);
    unmount();
    await pass(0);
    expect([clock.timers, clock.listeners, clock.reported]).toEqual([0, 0, []]);
  });

  it('asks only for data of the newest user after two switches, also for the first one', async () => {
    for (const last of ['cid', 'ada']) {
      const app = world();
      const { clock, sent, slow, text, pass, respond } = app;
      const { signIn, unmount } = await open(app, pageOf(app));
      await pass(0);
      slow.add('bob').add(last);
      await signIn('bob');
      await pass(1_500);
      await signIn(last);
      sent.length = 0;
      await pass(5_000);
      expect([text(), sent.filter((user) => user !== last)]).toEqual(['loading', []]);
      await respond('bob');
      await respond(last);
      await pass(1_500);
      expect([text(), new Set(sent)]).toEqual([mail(last), new Set([last])]);
      unmount();
      await pass(0);
      expect([clock.timers, clock.listeners, clock.reported]).toEqual([0, 0, []]);
    }
  });

  it('asks only for data of the new user after a logout', async () => {
    const app = world();
    const { controller, sent, slow, text, pass, respond } = app;
    const { signIn } = await open(app, pageOf(app));
    await pass(0);
    sent.length = 0;
    await act(async () => logout(controller));
    await pass(5_000);
    expect([text(), sent]).toEqual(['loading', []]);
    slow.add('bob');
    await signIn('bob');
    await pass(5_000);
    await respond('bob');
    await pass(1_500);
    expect([text(), new Set(sent)]).toEqual([mail('bob'), new Set(['bob'])]);
  });

  // The windows of hidden components resume with the readers.
  const hasPolls = !kind.startsWith('useWindow');
  it.runIf(hasPolls)(
    'asks only for data of the new user if `expireAll` ends a logout',
    async () => {
      const app = world();
      const { controller, sent, slow, text, pass, respond, Profiles } = app;
      const { signIn } = await open(app, pageOf(app), { resets: false });
      await pass(0);
      sent.length = 0;
      await act(async () => logout(controller));
      await pass(5_000);
      expect([text(), sent]).toEqual(['loading', []]);
      slow.add('bob');
      await signIn('bob');
      await act(async () => controller.expireAll(Profiles.getList));
      await pass(5_000);
      expect([text(), sent.filter((user) => user !== 'bob')]).toEqual(['loading', []]);
      await respond('bob');
      await pass(1_500);
      expect([text(), new Set(sent)]).toEqual([mail('bob'), new Set(['bob'])]);
    },
  );

  it('goes on after a reset without a switch, also after a second one before the response', async () => {
    for (const resets of [1, 2]) {
      const app = world();
      const { controller, sent, slow, text, pass, respond } = app;
      const { unmount } = await open(app, pageOf(app));
      await pass(0);
      slow.add('ada');
      for (let reset = 0; reset < resets; reset += 1) {
        await act(async () => controller.resetEntireStore());
        await pass(1_500);
        expect(text()).toBe('loading');
      }
      await respond('ada');
      expect(text()).toBe(mail('ada'));
      sent.length = 0;
      await pass(3_500);
      expect(sent).toEqual(['ada', 'ada', 'ada']);
      unmount();
    }
  });
});

it('a stream of the last user stays closed, and one of the new user opens with the data', async () => {
  const app = world();
  const { clock, slow, text, pass, respond, made, last, urls } = app;
  const { signIn, unmount } = await open(app, function Page() {
    return <p>{useLive(app.Mine.useGetList()).results[0]?.email}</p>;
  });
  await pass(0);
  expect(urls()).toEqual(['/ada']);
  slow.add('bob');
  await signIn('bob');
  await pass(1_000);
  expect([text(), urls(), made.length]).toEqual(['loading', [], 1]);
  await respond('bob');
  expect([text(), urls()]).toEqual([mail('bob'), ['/bob']]);
  await act(async () => last().send({ id: 'me', email: 'new' }));
  expect(text()).toBe('new');
  unmount();
  await pass(0);
  expect([urls(), clock.timers, clock.reported]).toEqual([[], 0, []]);
});

it('a stream of the last user stays closed after a logout, too', async () => {
  const app = world();
  const { controller, slow, pass, made, urls } = app;
  const Email = () => <p>{useLive(app.Mine.useGetList()).results[0]?.email}</p>;
  const { signIn } = await open(app, () => [<Email key="1" />, <Email key="2" />]);
  await pass(0);
  await act(async () => logout(controller));
  expect(urls()).toEqual([]);
  slow.add('bob');
  await signIn('bob');
  await pass(1_000);
  expect(made.map(({ url }) => url)).toEqual(['/ada']);
});

it('a logout between a render and its effects starts no poll and no stream', async () => {
  const app = world();
  const { controller, sent, text, pass, urls } = app;
  const LogOut = () => {
    const own = useController();
    useEffect(() => logout(own), [own]);
    return null;
  };
  const Polled = () => <p>{useLive(app.usePolled()).results[0]?.email}</p>;
  const Streamed = () => <b>{useLive(app.Mine.useGetList()).results[0]?.email}</b>;
  await open(app, () => [<LogOut key="1" />, <Polled key="2" />, <Streamed key="3" />]);
  await pass(5_000);
  expect([text(), sent, urls()]).toEqual(['loading', ['ada'], []]);
  await act(async () => controller.resetEntireStore());
  await pass(1_500);
  expect([text(), sent, urls()]).toEqual([mail('ada'), ['ada', 'ada', 'ada'], ['/ada']]);
});

it('after a switch of the server by a getter, no poll asks the last server', async () => {
  const { clock, controller, text, pass } = world();
  let server = 'one';
  const asked: string[] = [];
  let respond = (): void => {};
  class Api extends RestEndpoint {
    override get urlPrefix(): string {
      return `https://${server}.example.com`;
    }
  }
  const getTheme = new Api({
    path: '/theme',
    pollFrequency: 1_000,
    send: async (url: string) => {
      const [, host = ''] = /\/\/(\w+)/.exec(url) ?? [];
      asked.push(host);
      if (host === 'two') await new Promise<void>((resolve) => (respond = resolve));
      return Response.json({ name: host });
    },
  });
  // The prop, because the React Compiler does not call a hook with equal arguments again.
  const Theme = ({ of }: { of: string }) => (
    <p>{(useLive(of === 'one' ? getTheme : getTheme.extend({})) as { name: string }).name}</p>
  );
  const tree = (): ReactNode => (
    <SessionData userId={server}>
      <AsyncBoundary fallback={<p>loading</p>}>
        <Theme of={server} />
      </AsyncBoundary>
    </SessionData>
  );
  const { rerender } = show(tree(), { controller, strict: false });
  await pass(1_500);
  expect([text(), asked]).toEqual(['one', ['one', 'one']]);
  server = 'two';
  asked.length = 0;
  await act(async () => rerender(tree()));
  await pass(5_000);
  expect([text(), new Set(asked)]).toEqual(['loading', new Set(['two'])]);
  await act(async () => respond());
  expect([text(), clock.reported]).toEqual(['two', []]);
});

it('a subscription of `controller.subscribe` restarts, without a reader too', async () => {
  const { clock, controller, sent, Profiles, pass } = world();
  const getList = Profiles.getList.extend({ pollFrequency: 1_000 });
  controller.subscribe(getList);
  await pass(1_500);
  sent.length = 0;
  controller.resetEntireStore();
  await pass(1_500);
  expect([sent.length, clock.reported]).toEqual([2, []]);
  controller.dispose();
});

it.runIf(hasActivity)('a hidden <Activity> is silent, and shows the new user later', async () => {
  const app = world();
  const { sent, text, pass } = app;
  const Email = () => <p>{useLive(app.usePolled()).results[0]?.email}</p>;
  let mode: 'visible' | 'hidden' = 'visible';
  const { signIn } = await open(app, () => (
    <Activity mode={mode}>
      <Email />
    </Activity>
  ));
  await pass(0);
  mode = 'hidden';
  await signIn('ada');
  sent.length = 0;
  await signIn('bob');
  await pass(5_000);
  expect(sent.filter((user) => user === 'ada')).toEqual([]);
  mode = 'visible';
  await signIn('bob');
  await pass(1_500);
  expect([text(), sent.includes('ada')]).toEqual([mail('bob'), false]);
});

describe.each(['useSuspense', ...(hasUse ? ['useFetch', 'useFetch in a parent'] : [])])(
  'a component with %s that waits for its first response at the sign-out',
  (kind) => {
    async function openWaiting() {
      const app = world();
      const { Mine, slow } = app;
      const Email = ({ loaded }: { loaded: ReturnType<typeof useList> }) => (
        <p>{React.use(loaded).results[0]?.email}</p>
      );
      const useList = () => useFetch(Mine.useGetList());
      const kinds: Record<string, () => ReactNode> = {
        useSuspense: () => <p>{useSuspense(Mine.useGetList()).results[0]?.email}</p>,
        useFetch: () => <p>{React.use(useFetch(Mine.useGetList())).results[0]?.email}</p>,
        'useFetch in a parent': () => <Email loaded={useList()} />,
      };
      const Waiting = kinds[kind] ?? (() => null);
      slow.add('ada');
      let isGone = false;
      const page = await open(app, () => (isGone ? <p>signed out</p> : <Waiting />));
      await app.pass(0);
      expect([app.text(), app.sent.splice(0)]).toEqual(['loading', ['ada']]);
      // The page renders once more after the sign-out.
      await act(async () => logout(app.controller));
      await page.signIn('ada');
      const leave = async (): Promise<void> => {
        isGone = true;
        await page.signIn('ada');
        expect(app.text()).toBe('signed out');
      };
      return { ...app, ...page, leave };
    }

    it('sends nothing after it has unmounted', async () => {
      const { leave, signIn, pass, controller, sent } = await openWaiting();
      await leave();
      await pass(3_000);
      await signIn('bob');
      await act(async () => controller.resetEntireStore());
      await pass(3_000);
      expect(sent).toEqual([]);
    });

    it('shows the data of the next user', async () => {
      const { signIn, pass, respond, sent, text } = await openWaiting();
      await signIn('bob');
      await pass(3_000);
      await respond('ada');
      expect([text(), new Set(sent)]).toEqual([mail('bob'), new Set(['bob'])]);
    });

    it('shows its data if the same user signs in again', async () => {
      const { controller, pass, respond, sent, text } = await openWaiting();
      await act(async () => controller.resetEntireStore());
      await pass(1_000);
      await respond('ada');
      expect([text(), sent]).toEqual([mail('ada'), ['ada']]);
    });
  },
);
