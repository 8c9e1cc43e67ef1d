/** Updates that name records which the store does not have yet. */
import { Collection, Controller, Entity, resource } from 'restitch';
import { beforeEach, describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Person extends Entity {
  id = '';
  name = '';
  static override key = 'RelatedPerson';
}

class Paper extends Entity {
  id = '';
  title = '';
  author = Person.fromJS({});
  reviewers: readonly Person[] = [];
  readers: readonly Person[] = [];
  static override key = 'RelatedPaper';
  static override schema = {
    author: Person,
    reviewers: [Person],
    readers: new Collection([Person]),
  };
}

const server = await serverOfFile();
let controller: Controller;
beforeEach(() => {
  controller = new Controller();
  controller.set(Paper, { id: '1' }, {
    id: '1',
    title: 'T',
    author: { id: 'a', name: 'Ann' },
    reviewers: [{ id: 'a', name: 'Ann' }],
    readers: [],
  } as object);
});

const open = (optimistic: boolean) =>
  resource({ urlPrefix: server.origin, path: '/papers/:id', schema: Paper, optimistic });
const bob = Person.fromJS({ id: 'b', name: 'Bob' });
const names = (paper: Paper | undefined) => [
  paper?.author.name,
  paper?.reviewers.map(({ name }) => name).join(),
  paper?.readers.map(({ name }) => name).join(),
];

describe.each([false, true])(
  'an update with a new related record, optimistic: %s',
  (optimistic) => {
    it('is kept if the response is empty', async () => {
      const Papers = open(optimistic);
      server.respond((_, response) => void response.writeHead(204).end());
      const body = { author: bob, reviewers: [bob], readers: [bob] };
      await controller.fetch(Papers.partialUpdate, { id: '1' }, body);
      expect(names(controller.get(Paper, { id: '1' }))).toEqual(['Bob', 'Bob', 'Bob']);
    });
  },
);

describe('a pending update with a new related record', () => {
  it('shows it, and leaves no trace if it fails', async () => {
    const Papers = open(true);
    const view = controller.observe(Papers.get, { id: '1' });
    view.subscribe(() => {});
    server.respond((_, response) => void response.writeHead(422).end());
    const update = controller.fetch(Papers.partialUpdate, { id: '1' }, { reviewers: [bob] });
    expect(names(controller.get(Paper, { id: '1' }))[1]).toBe('Bob');
    expect(view.needsLoad(true)).toBe(false);
    await expect(update).rejects.toThrow('422');
    expect(names(controller.get(Paper, { id: '1' }))[1]).toBe('Ann');
    expect(controller.get(Person, { id: 'b' })).toBeUndefined();
  });

  it('does not fetch the record again if it names the other one only by its key', async () => {
    const Papers = open(true);
    const view = controller.observe(Papers.get, { id: '1' });
    view.subscribe(() => {});
    server.respond((_, response) => void response.writeHead(422).end());
    const body = { reviewers: ['b'] as never };
    const update = controller.fetch(Papers.partialUpdate, { id: '1' }, body);
    expect(view.getSnapshot().status).toBe('ready');
    expect(view.needsLoad(true)).toBe(false);
    await expect(update).rejects.toThrow('422');
  });
});

it('a function of the stored row may return its nested list', () => {
  controller.set(Paper, { id: '1' }, (paper) => ({ ...paper, title: 'New' }));
  const paper = controller.get(Paper, { id: '1' });
  expect([paper?.title, paper?.readers]).toEqual(['New', []]);
});
