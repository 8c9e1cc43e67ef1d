import { Controller, SchemaError } from 'restitch';
import { ValiError } from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { ZodError } from 'zod';
import { getProduct, Product } from '../src/validationByEntity.js';
import * as valibot from '../src/validationWithValibot.js';
import * as zod from '../src/validationWithZod.js';
import { failureOf, startServer } from './support/server.js';

const serve = (body: unknown) => startServer(() => ({ body }));

describe('zod', () => {
  it('lets through what fits, with its defaults and without unknown keys', async () => {
    const { origin } = await serve({ id: '1', name: 'Ada', password: 'secret' });
    const getUser = zod.getUser.extend({ urlPrefix: origin });
    const user = await new Controller().fetch(getUser, { id: '1' });
    expect(user).toBeInstanceOf(zod.User);
    expect({ ...user }).toEqual({ id: '1', name: 'Ada', role: 'member' });
  });

  it('refuses what does not fit, and nothing is stored', async () => {
    const { origin } = await serve({ id: '1', name: '', role: 'king' });
    const controller = new Controller();
    const getUser = zod.getUser.extend({ urlPrefix: origin });
    const error = await failureOf(controller.fetch(getUser, { id: '1' }));
    if (!(error instanceof ZodError)) throw error;
    expect(error.issues.map(({ path }) => path.join('.'))).toEqual(['name', 'role']);
    expect(controller.get(zod.User, { id: '1' })).toBeUndefined();
  });

  it('gives a call without a schema its type', async () => {
    const { origin } = await serve({ users: 3 });
    const result = await zod.getStatistics.extend({ urlPrefix: origin })();
    expectTypeOf(result).toEqualTypeOf<{ users: number }>();
    expect(result).toEqual({ users: 3 });
  });
});

describe('valibot', () => {
  it('lets through what fits, with its defaults and without unknown keys', async () => {
    const { origin } = await serve({ slug: 'a', title: 'A', draft: true });
    const getArticle = valibot.getArticle.extend({ urlPrefix: origin });
    const article = await new Controller().fetch(getArticle, { slug: 'a' });
    expect(article).toBeInstanceOf(valibot.Article);
    expect({ ...article }).toEqual({ slug: 'a', title: 'A', tags: [] });
  });

  it('refuses what does not fit, and nothing is stored', async () => {
    const { origin } = await serve({ slug: 'a', title: 5, tags: ['x', 1] });
    const controller = new Controller();
    const getArticle = valibot.getArticle.extend({ urlPrefix: origin });
    const error = await failureOf(controller.fetch(getArticle, { slug: 'a' }));
    if (!(error instanceof ValiError)) throw error;
    expect(error.issues.map((issue) => valibotPath(issue))).toEqual(['title', 'tags.1']);
    expect(controller.get(valibot.Article, { slug: 'a' })).toBeUndefined();
  });

  it('gives a call without a schema its type', async () => {
    const { origin } = await serve({ articles: 3 });
    const result = await valibot.getStatistics.extend({ urlPrefix: origin })();
    expectTypeOf(result).toEqualTypeOf<{ articles: number }>();
    expect(result).toEqual({ articles: 3 });
  });
});

describe('an entity that validates itself', () => {
  it('accepts a good record', async () => {
    const { origin } = await serve({ id: '1', title: 'Pen', price: 250 });
    const product = await new Controller().fetch(getProduct.extend({ urlPrefix: origin }), {
      id: '1',
    });
    expect(product).toMatchObject({ title: 'Pen', price: 250 });
  });

  it('rejects a bad one with its own words, and nothing is stored', async () => {
    const { origin } = await serve({ id: '1', title: 'Pen', price: '2.50' });
    const controller = new Controller();
    const error = await failureOf(
      controller.fetch(getProduct.extend({ urlPrefix: origin }), { id: '1' }),
    );
    if (!(error instanceof SchemaError)) throw error;
    expect(error.message).toContain('price is "2.50", not a whole number of cents');
    expect(controller.get(Product, { id: '1' })).toBeUndefined();
  });
});

const valibotPath = (issue: { path?: readonly { key: unknown }[] }): string =>
  (issue.path ?? []).map(({ key }) => String(key)).join('.');
