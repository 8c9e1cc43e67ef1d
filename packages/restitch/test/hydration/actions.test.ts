/** State passes the managers on its way to the store. */
import { type Action, Controller, Endpoint, Entity, type Manager } from 'restitch';
import { getState, hydrate, openStream, type StoreState } from 'restitch/state';
import { describe, expect, it } from 'vitest';

class Note extends Entity {
  id = '';
  text = '';
  static override readonly key = 'Note';
}

function stateWith(text: string): StoreState {
  const controller = new Controller();
  controller.set(Note, { id: '1' }, { text });
  return JSON.parse(JSON.stringify(getState(controller)));
}

function withManager(change: (action: Action) => Action = (action) => action) {
  const seen: Action[] = [];
  const manager: Manager = {
    middleware: () => (next) => (action) => {
      seen.push(action);
      next(change(action));
    },
  };
  return { controller: new Controller({ managers: [manager] }), seen };
}

describe('hydrated state', () => {
  it('passes the managers as an action, each part of a stream too', () => {
    const { controller, seen } = withManager();
    const stream = openStream(controller);
    const [part, whole] = [stateWith('part'), stateWith('whole')];
    stream.hydrate(part);
    stream.close();
    hydrate(controller, whole);
    expect(seen).toMatchObject([
      { type: 'hydrate', state: part },
      { type: 'hydrate', state: whole },
    ]);
    expect(controller.get(Note, { id: '1' })?.text).toBe('part');
  });

  it('can be changed by a manager, which hands the rest of the action on', () => {
    const { controller } = withManager((action) =>
      action.type === 'hydrate' ? { ...action, state: stateWith('of the manager') } : action,
    );
    hydrate(controller, stateWith('sent'));
    expect(controller.get(Note, { id: '1' })?.text).toBe('of the manager');
  });
});

it('only a controller has state', () => {
  const none = new Endpoint(async () => 1) as unknown as Controller;
  for (const use of [getState, openStream, (to: Controller) => hydrate(to, stateWith('x'))]) {
    expect(() => use(none)).toThrow(
      new TypeError('`controller` must be a Controller of this copy of restitch.'),
    );
  }
});
