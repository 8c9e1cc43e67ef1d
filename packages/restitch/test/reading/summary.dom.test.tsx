import { act, screen } from '@testing-library/react';
import { startTransition, useState } from 'react';
import { Controller, Endpoint, Entity, Invalidate } from 'restitch';
import { useCache, useDLE, useQuery, useSuspense } from 'restitch/react';
import { describe, expect, it } from 'vitest';
import { requests, show, watchConsole, write } from '../support/reactWorld.js';

watchConsole();

class Article extends Entity {
  id = '';
  title = '';
  body = 'a default';
}

class Partial extends Article {
  static override partial = true;
}

const summary = { id: '1', title: 'one' };
const whole = { ...summary, body: 'text' };
const params = { id: '1' };
let names = 0;

/** A list has brought a summary; the test responds to the requests for the article. */
function open<C extends typeof Article>(schema: C) {
  const server = requests();
  const getArticle = new Endpoint(server.send, { name: `getArticle${(names += 1)}`, schema });
  const getArticles = new Endpoint(async () => [], {
    name: `getArticles${names}`,
    schema: [schema],
  });
  const controller = new Controller();
  controller.setResponse(getArticles, [summary]);
  return { ...server, controller, getArticle, getArticles };
}

describe('a detail of which a list brought a summary', () => {
  it('suspends until the whole record is there', async () => {
    const { controller, getArticle, calls, respond } = open(Article);
    const Form = () => <input readOnly value={useSuspense(getArticle, params).body} />;
    show(<Form />, { controller });
    expect(screen.getByText('loading')).toBeDefined();
    await respond(whole);
    expect(screen.getByDisplayValue('text')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('is loading in `useDLE`, while `useCache` and `useQuery` return the known fields', async () => {
    const { controller, getArticle, respond } = open(Article);
    function Reader() {
      const { loading, isPartial } = useDLE(getArticle, params);
      const known = [useCache(getArticle, params)?.title, useQuery(Article, params)?.title];
      return <p>{[String(loading), String(isPartial), ...known].join()}</p>;
    }
    show(<Reader />, { controller });
    expect(screen.getByText('true,false,one,one')).toBeDefined();
    await respond({ ...whole, title: 'two' });
    expect(screen.getByText('false,false,two,two')).toBeDefined();
  });

  it('follows fields in `useCache` as they become known', async () => {
    const { controller, getArticle, getArticles, calls } = open(Article);
    const Reader = () => <p>{useCache(getArticle, params)?.title}</p>;
    show(<Reader />, { controller });
    await write(() => controller.setResponse(getArticles, [{ id: '1', title: 'renamed' }]));
    expect(screen.getByText('renamed')).toBeDefined();
    expect(calls).toHaveLength(0);
  });

  it('is shown at once where its class has `static partial`, and says so until it is whole', async () => {
    const { controller, getArticle, calls, respond } = open(Partial);
    function Reader() {
      const { data, isPartial } = useDLE(getArticle, params);
      return <p>{`${data?.body} ${isPartial}`}</p>;
    }
    const Detail = () => <b>{useSuspense(getArticle, params).title}</b>;
    show(
      <>
        <Reader />
        <Detail />
      </>,
      { controller },
    );
    expect(screen.getByText('a default true')).toBeDefined();
    expect(screen.getByText('one')).toBeDefined();
    expect(calls).toHaveLength(1);
    await respond(whole);
    expect(screen.getByText('text false')).toBeDefined();
    expect(calls).toHaveLength(1);
  });

  it('is never shown as a summary by a reader that mounts while a transition brings the whole', async () => {
    const { controller, getArticle, getArticles, calls } = open(Article);
    const bodies: string[] = [];
    function Detail() {
      const { body } = useSuspense(getArticle, params);
      bodies.push(body);
      return <b>{body}</b>;
    }
    function App() {
      const [isMounted, setMounted] = useState(false);
      const title = useQuery(Article, params)?.title;
      return (
        <>
          <button onClick={() => setMounted(true)}>{title}</button>
          {isMounted && <Detail />}
        </>
      );
    }
    show(<App />, { controller });
    await act(async () => {
      startTransition(() => {
        controller.setResponse(getArticles, [{ ...whole, title: 'two' }]);
      });
      screen.getByRole('button').click();
    });
    expect(screen.getByText('text')).toBeDefined();
    expect(new Set(bodies)).toEqual(new Set(['text']));
    expect(calls).toHaveLength(0);
  });
});

describe('a detail that mounts while the deletion of its record is under way', () => {
  const deleting = () => {
    const { controller, getArticle, getArticles, ...server } = open(Article);
    controller.setResponse(getArticles, [whole]);
    const deletion = requests();
    const remove = new Endpoint(deletion.send, {
      name: `remove${names}`,
      schema: new Invalidate(Article),
      sideEffect: true as const,
      getOptimisticResponse: (_: unknown, { id }: { id: string }) => ({ id }),
    });
    controller.fetch(remove, params).catch(() => {});
    const Detail = () => <b>{useSuspense(getArticle, params).body}</b>;
    show(<Detail />, { controller });
    return { ...server, deletion };
  };

  it('waits, asks once when its response arrives, and shows that there is no such record', async () => {
    const { calls, fail, deletion } = deleting();
    expect(screen.getByText('loading')).toBeDefined();
    expect(calls).toHaveLength(0);
    await deletion.respond(params);
    expect(calls).toHaveLength(1);
    await fail(new Error('404'));
    expect(screen.getByRole('alert').textContent).toContain('404');
    expect(calls).toHaveLength(1);
  });

  it('shows the record without a request when it fails', async () => {
    const { calls, deletion } = deleting();
    await deletion.fail(new Error('forbidden'));
    expect(screen.getByText('text')).toBeDefined();
    expect(calls).toHaveLength(0);
  });
});
