import { createRoot } from 'react-dom/client';
import { Controller, Entity, NetworkError, RestEndpoint } from 'restitch';
import { AsyncBoundary, DataProvider, useQuery, useSuspense } from 'restitch/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWorld, type Reply } from '../support/browserWorld.js';

class Account extends Entity {
  id = '';
  owner = '';
  static override readonly key = 'Account';
}

/** A page that reads account 1 from a real server and shows row 1 of the store beside it. */
async function openPage(reply: Reply, signal?: () => AbortSignal) {
  const world = await openWorld({ 'GET /accounts/1': reply });
  const getAccount = new RestEndpoint({
    urlPrefix: world.url,
    path: '/accounts/:id',
    schema: Account,
    signal,
  });
  const controller = new Controller();
  controller.set(Account, { id: '2' }, { id: '2', owner: 'Bob' });
  const Detail = () => <p>detail: {useSuspense(getAccount, { id: '1' }).owner}</p>;
  const Rows = () => (
    <p>
      rows: {useQuery(Account, { id: '1' })?.owner ?? 'none'},{' '}
      {useQuery(Account, { id: '2' })?.owner}
    </p>
  );
  const element = document.body.appendChild(document.createElement('main'));
  const root = createRoot(element, { onCaughtError: () => {} });
  root.render(
    <DataProvider controller={controller}>
      <Rows />
      <AsyncBoundary fallback={<p>loading</p>}>
        <Detail />
      </AsyncBoundary>
    </DataProvider>,
  );
  onTestFinished(() => {
    root.unmount();
    element.remove();
  });
  const find = (selector: string) =>
    vi.waitFor(() => {
      const found = element.querySelector<HTMLElement>(selector);
      if (!found) throw new Error(`Nothing matches ${selector} in: ${element.innerText}`);
      return found;
    });
  return { world, controller, getAccount, element, find };
}

const cases: { title: string; reply: Reply; says: RegExp }[] = [
  { title: 'a 404 with JSON', reply: { status: 404, body: { error: 'gone' } }, says: /^404/ },
  { title: 'a 500 with HTML', reply: { status: 500, body: '<h1>Oops</h1>' }, says: /^500/ },
  {
    title: 'a response that is not JSON',
    reply: { headers: { 'content-type': 'application/json' }, body: '{"id": "1", ' },
    says: /JSON/,
  },
  {
    title: 'a record without a primary key',
    reply: { body: { owner: 'Ada' } },
    says: /primary.key/,
  },
  { title: 'a network that is down', reply: { drop: true }, says: /fetch/i },
];

describe('a failed request', () => {
  it.each(cases)(
    'with $title is thrown to the boundary, leaves the store as it was, and can be tried again',
    async ({ reply, says }) => {
      const { world, find, element } = await openPage(reply);
      const alert = await find('[role=alert]');
      expect(alert.querySelector('p')?.textContent).toMatch(says);
      expect(element.innerText).toContain('rows: none, Bob');

      await world.reply({ 'GET /accounts/1': { body: { id: '1', owner: 'Ada' } } });
      (await find('[role=alert] button')).click();
      await expect.poll(() => element.innerText).toContain('detail: Ada');
      expect(element.innerText).toContain('rows: Ada, Bob');
      expect(element.querySelector('[role=alert]')).toBeNull();
      expect(await world.requests()).toHaveLength(2);
    },
  );

  it('that fails again leaves the focus where it was: on the button', async () => {
    const { world, find } = await openPage({ status: 500, body: 'Oops' });
    const button = await find('[role=alert] button');
    button.focus();
    await world.reply({ 'GET /accounts/1': { status: 503, body: 'Still', held: true } });
    button.click();
    const alert = await find('[role=alert][aria-busy=true]');
    expect(alert.textContent).toContain('500');
    // Nothing more is sent by who is impatient.
    button.click();
    await expect.poll(() => world.requests()).toHaveLength(2);
    await world.release('GET /accounts/1');
    await vi.waitFor(async () => expect((await find('[role=alert]')).textContent).toContain('503'));
    expect(document.activeElement).toBe(await find('[role=alert] button'));
    expect(await world.requests()).toHaveLength(2);
  });

  it('that its endpoint aborted is thrown to the boundary, leaves the store as it was, and can be tried again', async () => {
    let abort = new AbortController();
    const { world, find, element } = await openPage({ held: true }, () => abort.signal);
    await expect.poll(() => world.requests()).toHaveLength(1);
    abort.abort();
    const alert = await find('[role=alert]');
    expect(alert.querySelector('p')?.textContent).toMatch(/abort/i);
    expect(element.innerText).toContain('rows: none, Bob');

    abort = new AbortController();
    await world.reply({ 'GET /accounts/1': { body: { id: '1', owner: 'Ada' } } });
    (await find('[role=alert] button')).click();
    await expect.poll(() => element.innerText).toContain('detail: Ada');
  });

  it('gives the caller of controller.fetch the same error as the boundary', async () => {
    const { world, controller, getAccount, find } = await openPage({ status: 500, held: true });
    const failure = controller.fetch(getAccount, { id: '1' }).catch((error: unknown) => error);
    await expect.poll(() => world.requests()).toHaveLength(1);
    await world.release('GET /accounts/1');
    await find('[role=alert]');
    expect(await failure).toBeInstanceOf(NetworkError);
    expect(controller.getError(getAccount, { id: '1' })).toBe(await failure);
  });
});
