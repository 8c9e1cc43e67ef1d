import { Controller, Entity, resource, RestEndpoint } from 'restitch';

class Todo extends Entity {
  id = '';
}

const controller = new Controller();
const Todos = resource({ path: '/todos/:id', schema: Todo });
const getTodos = new RestEndpoint({ path: '/todos', schema: [Todo] });
const search = new RestEndpoint({
  path: '/todos',
  searchParams: {} as { q?: string },
  schema: [Todo],
});
const required = new RestEndpoint({
  path: '/todos',
  searchParams: {} as { q: string },
  schema: [Todo],
});

// Arguments that `fetch` does not ask for are not asked for
controller.setResponse(Todos.getList, [{ id: '1' }]);
controller.setResponse(getTodos, [{ id: '1' }]);
controller.setResponse(search, [{ id: '1' }]);
controller.setError(Todos.getList, new Error('no'));
controller.setError(search, new Error('no'));
controller.setResponse(search, {}, [{ id: '1' }]);
controller.setResponse(search, { q: 'a' }, [{ id: '1' }]);
controller.setResponse(Todos.get, { id: '1' }, { id: '1' });
// @ts-expect-error the row that it is of
controller.setResponse(Todos.get, { id: '1' });
// @ts-expect-error `q`
controller.setResponse(required, [{ id: '1' }]);
// @ts-expect-error the error
controller.setError(search);
// @ts-expect-error no such parameter
controller.setResponse(search, { p: 'a' }, [{ id: '1' }]);

// A value of another kind than readers see
const getOne = new RestEndpoint({ path: '/todos/:id', schema: Todo, nullable: true });
controller.setResponse(getOne, { id: '1' }, null);
controller.setResponse(getOne, { id: '1' }, { id: '1' });
// @ts-expect-error an object
controller.setResponse(Todos.get, { id: '1' }, 'text');
// @ts-expect-error an array
controller.setResponse(Todos.getList, { id: '1' });
// @ts-expect-error an array
controller.setResponse(search, { q: 'a' }, 5);
