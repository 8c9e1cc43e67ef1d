import { Collection, Controller, Endpoint, type EndpointError, Entity } from 'restitch';
import { useCache, useDLE, useFetch, useQuery, useSuspense, useSuspenseAll } from 'restitch/react';
import { describe, expectTypeOf, it } from 'vitest';

class Article extends Entity {
  id = '';
  title = '';
}

const getArticle = new Endpoint(async (params: { id: string }) => ({ id: params.id, title: '' }), {
  name: 'getArticle',
  schema: Article,
});
const getArticles = new Endpoint(async () => [] as { id: string }[], {
  name: 'getArticles',
  schema: [Article],
});
const getPage = new Endpoint(async () => ({ results: [{ id: '' }], next: '' }), {
  name: 'getPage',
  schema: { results: [Article], next: '' },
});
const byTopic = new Collection([Article], {
  argsKey: ({ topic }: { topic: string }) => ({ topic }),
});
const getText = new Endpoint(async (id: string, page: number) => `${id} ${page}`, {
  name: 'getText',
});
const rename = new Endpoint(async (params: { id: string }) => ({ id: params.id }), {
  name: 'rename',
  schema: Article,
  sideEffect: true as const,
});

// Checked by the compiler, never called.
export function useHooks(condition: boolean): void {
  expectTypeOf(useSuspense(getArticle, { id: '1' })).toEqualTypeOf<Article>();
  expectTypeOf(useSuspense(getArticles)).toEqualTypeOf<Article[]>();
  expectTypeOf(useSuspense(getText, '1', 2)).toEqualTypeOf<string>();
  expectTypeOf(useSuspense(getArticle, condition ? { id: '1' } : null)).toEqualTypeOf<
    Article | undefined
  >();
  expectTypeOf(useSuspense(getArticle, null)).toEqualTypeOf<Article | undefined>();
  expectTypeOf(useCache(getArticle, { id: '1' })).toEqualTypeOf<Article | undefined>();
  const nothing = useSuspense(getPage, null);
  expectTypeOf(nothing.results).toEqualTypeOf<Article[] | undefined>();
  expectTypeOf(nothing.next).toEqualTypeOf<string>();
  expectTypeOf(useSuspense(getPage)).toEqualTypeOf<{ results: Article[]; next: string }>();
  expectTypeOf(useDLE(getPage, null).data.results).toEqualTypeOf<Article[] | undefined>();
  expectTypeOf(useDLE(getPage).data.results).toEqualTypeOf<Article[] | undefined>();
  expectTypeOf(useCache(getPage).results).toEqualTypeOf<Article[] | undefined>();
  expectTypeOf(useQuery({ article: Article, n: 0 }, { id: '1' }).article).toEqualTypeOf<
    Article | undefined
  >();
  expectTypeOf(useSuspenseAll([[getPage, null]])[0].results).toEqualTypeOf<Article[] | undefined>();
  expectTypeOf(useQuery(Article, { id: '1' })).toEqualTypeOf<Article | undefined>();
  expectTypeOf(useFetch(getArticle, { id: '1' })).resolves.toEqualTypeOf<Article>();

  expectTypeOf(useQuery(Article, { id: 1 })).toEqualTypeOf<Article | undefined>();
  expectTypeOf(useQuery(Article, condition ? { id: '1' } : null)).toEqualTypeOf<
    Article | undefined
  >();
  expectTypeOf(useQuery(byTopic, { topic: 'a' })).toEqualTypeOf<Article[] | undefined>();
  expectTypeOf(useQuery(new Collection([Article]), { topic: 'a' })).toEqualTypeOf<
    Article[] | undefined
  >();
  // @ts-expect-error -- not a field of the entity
  useQuery(Article, { ID: '1' });
  // @ts-expect-error -- a row is named by something
  useQuery(Article);
  // @ts-expect-error -- not an argument of the list
  useQuery(byTopic, { title: 'a' });

  // @ts-expect-error -- a parameter is missing
  useSuspense(getArticle, {});
  // @ts-expect-error -- a parameter is misspelled
  useSuspense(getArticle, { ID: '1' });
  // @ts-expect-error -- an argument is missing
  useSuspense(getText, '1');
  // @ts-expect-error -- one argument too many
  useSuspense(getArticles, { id: '1' });
  // @ts-expect-error -- has a side effect
  useSuspense(rename, { id: '1' });
  // @ts-expect-error -- has a side effect
  useCache(rename, { id: '1' });
  // @ts-expect-error -- has a side effect
  useDLE(rename, { id: '1' });
  // @ts-expect-error -- has a side effect
  void useFetch(rename, { id: '1' });
  // @ts-expect-error -- null is for hooks
  void new Controller().fetch(getArticle, null);

  const [article, articles, text] = useSuspenseAll([
    [getArticle, { id: '1' }],
    [getArticles],
    [getText, '1', condition ? 2 : 3],
  ]);
  expectTypeOf(article).toEqualTypeOf<Article>();
  expectTypeOf(articles).toEqualTypeOf<Article[]>();
  expectTypeOf(text).toEqualTypeOf<string>();
  const [maybe, none] = useSuspenseAll([
    [getArticle, condition ? { id: '1' } : null],
    [getArticle, null],
  ]);
  expectTypeOf(maybe).toEqualTypeOf<Article | undefined>();
  expectTypeOf(none).toEqualTypeOf<Article | undefined>();
  const many = useSuspenseAll(['1', '2'].map((id) => [getArticle, { id }] as const));
  expectTypeOf(many).toEqualTypeOf<Article[]>();
  // @ts-expect-error -- a parameter is misspelled
  useSuspenseAll([[getArticle, { ID: '1' }]]);
  // @ts-expect-error -- an argument is missing
  useSuspenseAll([[getText, '1']]);
  // @ts-expect-error -- has a side effect
  useSuspenseAll([[rename, { id: '1' }]]);

  const { data, loading, error } = useDLE(getArticle, { id: '1' });
  if (loading) expectTypeOf(data).toEqualTypeOf<undefined>();
  else if (error) expectTypeOf(error).toEqualTypeOf<EndpointError>();
  else expectTypeOf(data).toEqualTypeOf<Article>();
}

describe('hooks', () => {
  it('are typed by the endpoint', () => {
    expectTypeOf(useHooks).toBeFunction();
  });
});
