import { Controller, Entity, resource } from 'restitch';
import { getState, hydrate } from 'restitch/state';
import { expect, it } from 'vitest';

class Message extends Entity {
  id = '';
  text = '';
  static override key = 'HydratedMessage';
}

it('a stored response to a mutation changes records and lists, and is no result in the state', async () => {
  const reported: unknown[] = [];
  const Messages = resource({
    urlPrefix: 'http://x',
    path: '/messages/:id',
    schema: Message,
    send: (): Promise<Response> => Promise.reject(new TypeError('Failed to fetch')),
  });
  const first = new Controller();
  first.setResponse(Messages.getList, [{ id: '1', text: 'a' }]);
  first.setResponse(Messages.getList.push, { text: 'b' }, { id: '2', text: 'b' });
  const state = structuredClone(getState(first));
  expect(state.results?.map(({ key }) => key)).toEqual(['GET http://x/messages']);
  const controller = new Controller({ environment: { report: (error) => reported.push(error) } });
  hydrate(controller, state);
  await expect(controller.fetch(Messages.getList.push, { text: 'c' })).rejects.toThrow();
  expect(controller.getResponse(Messages.getList)?.map(({ text }) => text)).toEqual(['a', 'b']);
  expect(reported).toEqual([]);
});
