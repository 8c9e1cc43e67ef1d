import { act, render, screen } from '@testing-library/react';
import { Controller, NetworkError, SchemaError } from 'restitch';
import {
  AsyncBoundary,
  ErrorBoundary,
  type ErrorViewProps,
  useSuspense,
  useSuspenseAll,
} from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { counter, show, textEndpoint, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

const caught = { onCaughtError: () => {} };
const press = (name: string): Promise<void> => act(async () => screen.getByText(name).click());

describe('AsyncBoundary', () => {
  it('shows a failed request with its status, announced and with a button', async () => {
    const { getText, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(
      <AsyncBoundary fallback="wait" errorClassName="problem">
        <Text />
      </AsyncBoundary>,
    );
    expect(screen.getByText('wait')).toBeDefined();
    await fail(new NetworkError(new Response('', { status: 404, statusText: 'Not Found' })));
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain('404 Not Found');
    expect(alert.className).toBe('problem');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
  });

  it.each(['Not Found', ''])(
    'shows the message that the error was given, whatever words the status came with: %j',
    async (statusText) => {
      const { getText, fail } = textEndpoint();
      const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
      show(<Text />);
      const error = new NetworkError(new Response('', { status: 404, statusText }));
      error.message = 'There is no user 99';
      await fail(error);
      const current = screen.getByRole('alert').querySelector('p')?.textContent;
      expect(current).toBe('There is no user 99');
    },
  );

  it.each([
    ['', '404'],
    ['Not Found', '404 Not Found'],
  ])('shows the default message without the URL: %j', async (statusText, current) => {
    const { getText, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />);
    const response = new Response('', { status: 404, statusText });
    Object.defineProperty(response, 'url', { value: 'http://a/b' });
    const error = new NetworkError(response);
    expect(error.message).toBe(`http://a/b: ${current}`);
    await fail(error);
    expect(screen.getByRole('alert').querySelector('p')?.textContent).toBe(current);
  });

  it.each([
    new NetworkError(new Response('<html>'), { status: 400, message: 'This is a web page' }),
    new SchemaError('missing-primary-key', 'User has no primary key'),
  ])('shows no status that no server sent', async (error) => {
    const { getText, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />);
    await fail(error);
    expect(screen.getByRole('alert').querySelector('p')?.textContent).toBe(error.message);
  });

  it('tries again at the first press where several readers failed with one error object', async () => {
    const questions = [textEndpoint(), textEndpoint(), textEndpoint()];
    const Text = ({ index }: { index: number }) => (
      <p>{useSuspense(questions[index]?.getText ?? textEndpoint().getText, { id: '1' })}</p>
    );
    show(
      questions.map((_, index) => (
        <AsyncBoundary key={index}>
          <Text index={index} />
        </AsyncBoundary>
      )),
    );
    const shared = new Error('No token');
    for (const { fail } of questions) await fail(shared);
    await act(async () => screen.getAllByText('Try again')[0]?.click());
    for (const [index, { respond, calls }] of questions.entries()) {
      await respond(`text ${index}`);
      expect(screen.getByText(`text ${index}`)).toBeDefined();
      expect(calls).toHaveLength(2);
    }
  });

  it.each(['one error object', 'errors of their own'])(
    'tries everything again at the first press where questions asked together failed with %s',
    async (how) => {
      const questions = [textEndpoint(), textEndpoint()] as const;
      const shared = new Error('No token');
      function Texts() {
        const [a, b] = useSuspenseAll([
          [questions[0].getText, { id: '1' }],
          [questions[1].getText, { id: '1' }],
        ]);
        return <p>{a + b}</p>;
      }
      show(<Texts />);
      for (const { fail } of questions) {
        await fail(how === 'one error object' ? shared : new Error('No token'));
      }
      await press('Try again');
      expect(questions.map(({ calls }) => calls.length)).toEqual([2, 2]);
      await questions[0].respond('a');
      await questions[1].respond('b');
      expect(screen.getByText('ab')).toBeDefined();
    },
  );

  it('tries again with one request per reset, and leaves its siblings alone', async () => {
    const failing = textEndpoint();
    const fine = textEndpoint();
    const Text = () => <p>{useSuspense(failing.getText, { id: '1' })}</p>;
    const siblingRenders = counter();
    function Sibling() {
      siblingRenders.add();
      return <p>{useSuspense(fine.getText, { id: '1' })}</p>;
    }
    show(
      <>
        <AsyncBoundary>
          <Text />
        </AsyncBoundary>
        <AsyncBoundary>
          <Sibling />
        </AsyncBoundary>
      </>,
      { strict: false },
    );
    await fine.respond('sibling');
    await failing.fail(new Error('it broke'));
    const before = siblingRenders.count;
    await press('Try again');
    expect(failing.calls).toHaveLength(2);
    expect(screen.getByRole('alert').getAttribute('aria-busy')).toBe('true');
    await failing.respond('there');
    expect(screen.getByText('there')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(failing.calls).toHaveLength(2);
    expect(fine.calls).toHaveLength(1);
    expect(siblingRenders.count).toBe(before);
  });

  it('shows the new error when trying again fails too', async () => {
    const { getText, calls, respond, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    show(<Text />);
    await fail(new Error('first'));
    await press('Try again');
    await fail(new Error('second'));
    expect(screen.getByRole('alert').textContent).toContain('second');
    await press('Try again');
    await respond('there');
    expect(screen.getByText('there')).toBeDefined();
    expect(calls).toHaveLength(3);
  });

  it('shows the data that another boundary fetched since, without another request', async () => {
    const { getText, calls, respond, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const View = ({ error, resetErrorBoundary }: ErrorViewProps) => (
      <button onClick={resetErrorBoundary}>{error.message}</button>
    );
    show(
      <>
        <AsyncBoundary errorComponent={View}>
          <Text />
        </AsyncBoundary>
        <AsyncBoundary errorComponent={View}>
          <Text />
        </AsyncBoundary>
      </>,
    );
    await fail(new Error('it broke'));
    await act(async () => screen.getAllByText('it broke')[0]?.click());
    await respond('there');
    expect(screen.getAllByText('there')).toHaveLength(2);
    expect(calls).toHaveLength(2);
  });

  it('catches errors that are not from the network, without a render loop', async () => {
    const renders = counter();
    function Broken(): null {
      renders.add();
      throw new Error('a mistake in the page');
    }
    render(
      <AsyncBoundary>
        <Broken />
      </AsyncBoundary>,
      caught,
    );
    expect(screen.getByRole('alert').textContent).toContain('a mistake in the page');
    expect(renders.count).toBeLessThan(6);
  });

  it('fetches again, without a reset, for a reader that mounts when the error is past its lifetime', async () => {
    let now = 0;
    const controller = new Controller({ environment: { now: () => now } });
    const { getText, calls, respond, fail } = textEndpoint();
    const Text = () => <p>{useSuspense(getText, { id: '1' })}</p>;
    const page = (key: string) => (
      <AsyncBoundary key={key}>
        <Text />
      </AsyncBoundary>
    );
    const { rerender } = show(page('a'), { controller });
    await fail(new Error('it broke'));
    rerender(page('b'));
    expect(screen.getByRole('alert').textContent).toContain('it broke');
    expect(calls).toHaveLength(1);
    now += 2000;
    rerender(page('c'));
    expect(calls).toHaveLength(2);
    await respond('there');
    expect(screen.getByText('there')).toBeDefined();
  });
});

describe('ErrorBoundary', () => {
  it('hands error, reset and class name to its fallback component, and renders the children again', async () => {
    let broken = true;
    function Sometimes() {
      if (broken) throw new Error('not yet');
      return <p>content</p>;
    }
    const View = ({ error, resetErrorBoundary, className }: ErrorViewProps) => (
      <button className={className} onClick={resetErrorBoundary}>
        {error.message}
      </button>
    );
    render(
      <ErrorBoundary className="problem" fallbackComponent={View}>
        <Sometimes />
      </ErrorBoundary>,
      caught,
    );
    expect(screen.getByText('not yet').className).toBe('problem');
    broken = false;
    await press('not yet');
    expect(screen.getByText('content')).toBeDefined();
  });

  it('resets when what it listens to says so; listening can be added and removed', async () => {
    let broken = true;
    function Sometimes() {
      if (broken) throw new Error('not yet');
      return <p>content</p>;
    }
    const listeners = new Set<() => void>();
    const listen = (reset: () => void): (() => void) => {
      listeners.add(reset);
      return () => listeners.delete(reset);
    };
    const page = (listening: boolean) => (
      <ErrorBoundary listen={listening ? listen : undefined}>
        <Sometimes />
      </ErrorBoundary>
    );
    const { rerender } = render(page(false), caught);
    expect(listeners.size).toBe(0);
    rerender(page(true));
    expect(listeners.size).toBe(1);
    broken = false;
    await write(() => listeners.forEach((reset) => reset()));
    expect(screen.getByText('content')).toBeDefined();
    rerender(page(false));
    expect(listeners.size).toBe(0);
  });
});
