import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { Controller, Endpoint } from 'restitch';
import { useDLE, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import {
  requests,
  show,
  textEndpoint,
  User,
  userEndpoint,
  watchConsole,
  write,
} from '../support/reactWorld.js';

watchConsole();

/** A controller whose clock the test moves. */
function clocked() {
  let now = 0;
  return {
    controller: new Controller({ environment: { now: () => now } }),
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

describe('data past its lifetime', () => {
  it('is shown at once to a reader that mounts, and fetched again in the background', async () => {
    const { controller, pass } = clocked();
    const { getText, calls, respond } = textEndpoint();
    controller.setResponse(getText, { id: '1' }, 'old');
    pass(61_000);
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />, { controller });
    expect(screen.getByText('old')).toBeDefined();
    expect(calls).toHaveLength(1);
    await respond('new');
    expect(screen.getByText('new')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('is not fetched again for a mounted reader because it renders or its row is written', async () => {
    const { controller, pass } = clocked();
    const { getUser, calls, respond } = userEndpoint();
    function Name() {
      const [renders, setRenders] = useState(0);
      const user = useSuspense(getUser, { id: '1' });
      const { data } = useDLE(getUser, { id: '1' });
      return (
        <button onClick={() => setRenders(renders + 1)}>
          {user.name} {data?.name} {renders}
        </button>
      );
    }
    show(<Name />, { controller });
    await respond({ id: '1', name: 'Ada' });
    pass(61_000);
    await act(async () => screen.getByText('Ada Ada 0').click());
    await write(() => controller.set(User, { id: '1' }, { id: '1', name: 'Bob' }));
    expect(screen.getByText('Bob Bob 1')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('is not shown to a reader that mounts where `invalidIfStale` is set', async () => {
    const { controller, pass } = clocked();
    const { calls, send, respond } = requests();
    const getText = new Endpoint(send, { name: 'getStrictText', invalidIfStale: true });
    controller.setResponse(getText, { id: '1' }, 'old');
    pass(61_000);
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />, { controller });
    expect(screen.getByText('loading')).toBeDefined();
    await respond('new');
    expect(screen.getByText('new')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('is shown to its waiting readers when the lifetime is zero, and not fetched for ever', async () => {
    const { calls, send, respond } = requests();
    const getText = new Endpoint(send, { name: 'getBrief', dataExpiryLength: 0 });
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />);
    await respond('brief');
    expect(screen.getByText('brief')).toBeDefined();
    await respond('newer');
    await respond('newest');
    // A reader that mounts finds it past its lifetime, and fetches once more.
    expect(calls.length).toBeLessThanOrEqual(2);
  });

  it('shows the error after one request when the lifetime of errors is zero', async () => {
    const { calls, send, fail } = requests();
    const getText = new Endpoint(send, { name: 'getBriefError', errorExpiryLength: 0 });
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />);
    await fail(new Error('it broke'));
    expect(screen.getByRole('alert').textContent).toContain('it broke');
    expect(calls).toHaveLength(1);
  });
});
