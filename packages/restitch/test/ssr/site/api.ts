import { Entity, resource, RestEndpoint, type RestGenerics } from 'restitch';

/** The address at which the server reaches its own API; in the browser paths are enough. */
export const site: { origin: string } = { origin: '' };

class SiteEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override fetchResponse(input: RequestInfo, init: RequestInit): Promise<Response> {
    // Here rather than in `urlPrefix`: the key must be the same on both sides.
    const path = typeof input === 'string' ? input : input.url;
    return super.fetchResponse(`${site.origin}${path}`, init);
  }
}

export class User extends Entity {
  id = '';
  name = '';
  static override key = 'User';
}

export class Issue extends Entity {
  id = '';
  title = '';
  author = User.fromJS({});
  openedAt = new Date(0);
  static override key = 'Issue';
  static override schema = { author: User, openedAt: Date };
}

export const Users = resource({ path: '/api/users/:id', schema: User, Endpoint: SiteEndpoint });
export const Issues = resource({
  path: '/api/issues/:id',
  searchParams: {} as { status?: string },
  schema: Issue,
  Endpoint: SiteEndpoint,
});
export const getCount = new SiteEndpoint({
  path: '/api/count',
  process: (value: { open: number }) => value,
});
