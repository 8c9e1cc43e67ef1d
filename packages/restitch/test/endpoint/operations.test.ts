import { Controller, Endpoint, Entity, operations, resource, RestEndpoint } from 'restitch';
import { describe, expect, it } from 'vitest';

class Post extends Entity {
  id = '';
  title = '';
  static override key = 'Post';
}

const Posts = resource({ path: '/posts/:id', schema: Post });
const vote = new RestEndpoint({ path: '/posts/:id/vote', method: 'POST', name: 'vote' });

describe('operations', () => {
  it('finds the mutations of resources and single endpoints by name', () => {
    const found = operations({ Posts, vote });
    expect([...found.keys()].sort()).toEqual(
      [
        'Post.delete',
        'Post.getList.move',
        'Post.getList.push',
        'Post.getList.remove',
        'Post.getList.unshift',
        'Post.partialUpdate',
        'Post.update',
        'vote',
      ].sort(),
    );
    expect(found.get('Post.partialUpdate')).toBe(Posts.partialUpdate);
    expect(found.get('vote')).toBe(vote);
    expect(found.get('Post.get')).toBeUndefined();
  });

  it('leads to the endpoint of a call that was extended', async () => {
    const sent: string[] = [];
    const controller = new Controller({
      managers: [
        {
          middleware: () => (next) => (action) => {
            if (action.type === 'fetch') sent.push(action.endpoint.name);
            next(
              action.type === 'fetch' ? { ...action, fetch: async () => ({ id: '1' }) } : action,
            );
          },
        },
      ],
    });
    const signal = new AbortController().signal;
    await controller.fetch(Posts.partialUpdate.extend({ signal }), { id: '1' }, { title: 'a' });
    expect(sent.map((name) => operations({ Posts }).get(name))).toEqual([Posts.partialUpdate]);
  });

  it('accepts one endpoint in several resources', () => {
    const More = Posts.extend('publish', { path: '/posts/:id/publish', method: 'POST' });
    const found = operations({ Posts, More });
    expect(found.get('Post.publish')).toBe(More.publish);
    expect(found.get('Post.update')).toBe(Posts.update);
  });

  it('throws for an endpoint without a name', () => {
    const unnamed = new Endpoint(async () => 1, { sideEffect: true, name: '' });
    expect(() => operations({ Posts, unnamed })).toThrow(
      expect.objectContaining({ code: 'operation-unnamed' }) as Error,
    );
  });

  it('throws for two endpoints with one name', () => {
    const other = new RestEndpoint({ path: '/votes', method: 'POST', name: 'vote' });
    expect(() => operations({ vote, more: { other } })).toThrow(
      expect.objectContaining({ code: 'operation-twice' }) as Error,
    );
  });
});
