/** A state contains the deleted records that the store still knows. */
import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  RestEndpoint,
  type StoreState,
} from 'restitch';
import { applyChange, changes, getState, hydrate, openStream } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class Author extends Entity {
  id = '';
  name = '';
  static override key = 'LeftAuthor';
}
class Post extends Entity {
  id = '';
  title = '';
  author = Author.fromJS({});
  static override key = 'LeftPost';
  static override schema = { author: Author };
}
class Note extends Entity {
  id = '';
  author: Author | undefined = undefined;
  static override key = 'LeftNote';
  static override schema = { author: Author };
}

const read = <S>(name: string, schema: S) =>
  new Endpoint(async (_: object): Promise<any> => null, { name, schema });
const posts = read('posts', new Collection([Post]));
const post = read('post', Post);
const note = read('note', Note);
const author = read('author', Author);
const remove = new RestEndpoint({
  path: '/authors/:id',
  method: 'DELETE',
  schema: new Invalidate(Author),
});

const ann = { id: 'a', name: 'Ann' };
const bob = { id: 'b', name: 'Bob' };
const one = { id: '1', title: 'One', author: ann };
const two = { id: '2', title: 'Two', author: bob };

function withPosts(): Controller {
  const controller = new Controller();
  controller.setResponse(posts, {}, [one, two]);
  controller.setResponse(post, { id: '1' }, one);
  controller.setResponse(note, { id: 'n' }, { id: 'n', author: ann });
  return controller;
}
const removeAnn = (controller: Controller): void =>
  controller.setResponse(remove, { id: 'a' }, { id: 'a' });

const asJson = (state: StoreState): StoreState => JSON.parse(JSON.stringify(state));
const next = (...states: StoreState[]): Controller => {
  const controller = new Controller();
  states.forEach((state) => hydrate(controller, asJson(state)));
  return controller;
};
const titles = (controller: Controller) =>
  controller.getResponse(posts, {})?.map(({ title }) => title);

function expectHidden(controller: Controller): void {
  expect(titles(controller)).toEqual(['Two']);
  expect(controller.get(Post, { id: '1' })).toBeUndefined();
  expect(controller.observe(post, { id: '1' }).needsLoad()).toBe(true);
  expect(controller.getResponse(note, { id: 'n' })).toMatchObject({ id: 'n', author: undefined });
}

/** Each way in which a state leaves a store. */
const exportsOf: Record<string, (change: (controller: Controller) => void) => StoreState> = {
  getState: (change) => {
    const controller = withPosts();
    change(controller);
    return getState(controller);
  },
  applyChange: (change) => {
    const controller = withPosts();
    let state = getState(controller);
    changes(controller, (one) => (state = applyChange(state, one)));
    change(controller);
    expect(state).toEqual({ ...getState(controller), exportedAt: state.exportedAt });
    return state;
  },
};

describe.each(Object.entries(exportsOf))('deleted records in a state of %s', (_, after) => {
  it('hide the records that require them', () => {
    const state = after(removeAnn);
    expect(state.entities['LeftAuthor']).toMatchObject([
      { pk: 'a', fields: null },
      { pk: 'b', fields: bob },
    ]);
    expectHidden(next(state));
  });

  it('are exported again, read or not', () => {
    const state = after(removeAnn);
    expectHidden(next(getState(next(state))));
    const reader = next(state);
    expectHidden(reader);
    expect(getState(reader).entities).toEqual(state.entities);
    expectHidden(next(getState(reader)));
  });

  it('do not come back from an older state', () => {
    const older = getState(withPosts());
    const newer = after(removeAnn);
    expectHidden(next(newer, older));
    const reader = next(newer);
    expectHidden(reader);
    hydrate(reader, asJson(older));
    expectHidden(reader);
  });

  it('delete no record of a newer state or of this store', () => {
    const newer = getState(withPosts());
    const older = after(removeAnn);
    expect(titles(next(newer, older))).toEqual(['One', 'Two']);
    const reader = next(newer, older);
    expect(reader.observe(post, { id: '1' }).needsLoad()).toBe(false);
    expect(reader.observe(posts, {}).needsLoad()).toBe(false);
    const controller = withPosts();
    hydrate(controller, asJson(older));
    expect(titles(controller)).toEqual(['One', 'Two']);
    expect(controller.observe(post, { id: '1' }).needsLoad()).toBe(false);
  });

  it('come back with a response', () => {
    const controller = next(after(removeAnn));
    expectHidden(controller);
    controller.setResponse(author, {}, { id: 'a', name: 'Anna' });
    expect(controller.get(Post, { id: '1' })?.author.name).toBe('Anna');
    const state = getState(controller);
    expect(state.entities['LeftAuthor']).toMatchObject([
      { pk: 'a', fields: { id: 'a', name: 'Anna' } },
      { pk: 'b' },
    ]);
    expect(next(state).get(Post, { id: '1' })?.author.name).toBe('Anna');
  });

  it('that came back before the export are records again', () => {
    const state = after((controller) => {
      removeAnn(controller);
      controller.setResponse(author, {}, { id: 'a', name: 'Anna' });
    });
    expect(next(state).get(Post, { id: '1' })?.author.name).toBe('Anna');
  });
});

it('an optimistic delete is in no state until the server confirms it', async () => {
  const controller = withPosts();
  let confirm: (response: Response) => void = () => {};
  const deletion = controller.fetch(
    remove.extend({
      fetch: () => new Promise<Response>((resolve) => (confirm = resolve)),
      getOptimisticResponse: (_: unknown, params: object) => params,
    }),
    { id: 'a' },
  );
  expect(titles(controller)).toEqual(['Two']);
  expect(titles(next(getState(controller)))).toEqual(['One', 'Two']);
  confirm(new Response(null, { status: 204 }));
  await deletion;
  expectHidden(next(getState(controller)));
});

it('a later part of a page deletes a record of an earlier part', () => {
  const controller = new Controller();
  const stream = openStream(controller);
  const server = withPosts();
  stream.hydrate(asJson(getState(server)));
  expect(titles(controller)).toEqual(['One', 'Two']);
  removeAnn(server);
  stream.hydrate(asJson(getState(server)));
  stream.close();
  expect(titles(controller)).toEqual(['Two']);
  expect(controller.get(Post, { id: '1' })).toBeUndefined();
});

it('a later part of a page restores a record that an earlier part has deleted', () => {
  const controller = new Controller();
  const stream = openStream(controller);
  const server = withPosts();
  removeAnn(server);
  stream.hydrate(asJson(getState(server)));
  expect(titles(controller)).toEqual(['Two']);
  server.setResponse(author, {}, ann);
  stream.hydrate(asJson(getState(server)));
  stream.close();
  expect(controller.get(Post, { id: '1' })?.author.name).toBe('Ann');
});
