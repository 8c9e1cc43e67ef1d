import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInEditor } from '../../../../scripts/languageServer.mjs';

const source = `
import { Controller, Entity, RestEndpoint, resource } from 'restitch';
import { useSuspense } from 'restitch/react';

class User extends Entity {
  id = '';
  name = '';
}
const getUser = new RestEndpoint({ path: '/users/:id', schema: User });
const addMember = new RestEndpoint({ path: '/groups/:group', method: 'POST', body: {} as { name: string } });
const getFile = new RestEndpoint({ path: '/files/:id', content: 'blob' });
const search = new RestEndpoint({ path: '/search?{q=:q}', process: (value: { hits: number }) => value.hits });
const Users = resource({ path: '/users/:id', schema: User, searchParams: {} as { team?: string } });

void getUser({ id: '1' });
void addMember({ group: 1 }, { name: 'Ada' });
void getFile({ id: 1 });
void search({ q: 'x' });
void Users.getList({ team: '1' });
const controller = new Controller();
const fetched = await controller.fetch(Users.get, { id: '1' });
export function Page() {
  const shown = useSuspense(getUser, { id: '1' });
  const listed = useSuspense(Users.getList);
  return listed.length + shown.name;
}
`;

let editor: Awaited<ReturnType<typeof openInEditor>>;
beforeAll(async () => {
  editor = await openInEditor(source);
}, 60_000);
afterAll(() => editor.close());

describe('hovering', () => {
  it.each([
    ['void getUser', '(params: { id: PathValue; }) => Promise<any>'],
    ['void addMember', '(params: { group: PathValue; }, body: { name: string; }) => Promise<any>'],
    ['void getFile', '(params: { id: PathValue; }) => Promise<Blob>'],
    [
      'void search',
      '(params?: { readonly q?: PathValue | undefined; } | undefined) => Promise<number>',
    ],
    ['void Users.getList', '(params?: { team?: string; } | undefined) => Promise<any>'],
  ])('`%s` shows the arguments and the result: %s', async (use, signature) => {
    expect(await editor.hover(use)).toContain(`: ${signature}`);
  });

  it.each([
    ['const fetched', 'User'],
    ['const shown', 'User'],
    ['const listed', 'User[]'],
  ])('`%s` shows %s', async (use, type) => {
    expect(await editor.hover(use)).toBe(`${use}: ${type}`);
  });
});

describe('completing', () => {
  it('offers the parameters of the path', async () => {
    expect(await editor.complete('void addMember({ ')).toContain('group');
  });

  it('offers the members of an endpoint of a resource', async () => {
    expect(await editor.complete('Users.getList.')).toEqual(
      expect.arrayContaining(['push', 'unshift', 'remove', 'move', 'extend']),
    );
  });
});
