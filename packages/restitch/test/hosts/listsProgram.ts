/** A program that declares no `Collection` of its own: its lists come from `resource()`. */
import { Controller, Entity, resource } from 'restitch';

class Task extends Entity {
  id = '';
  team = '';
}

/** Reads the lists of a server and creates a task. Returns the ids in each list. */
export async function run(urlPrefix: string): Promise<Record<string, unknown>> {
  const Tasks = resource({
    urlPrefix,
    path: '/tasks/:id',
    schema: Task,
    searchParams: {} as { team?: string; sort?: string },
    nonFilterArgumentKeys: ['sort'],
  });
  const getEnvelope = Tasks.getList.extend({
    path: '/envelopes',
    schema: { data: Tasks.getList.schema },
  });
  class Project extends Entity {
    id = '';
    tasks: Task[] = [];
    static override schema = { tasks: Tasks.getList.schema };
  }
  const Projects = resource({ urlPrefix, path: '/projects/:id', schema: Project });
  const Others = resource({ urlPrefix, path: '/others/:id', schema: Task, body: {} });
  const getOthers = Others.getList.extend({ schema: Tasks.getList.schema });

  const controller = new Controller();
  const lists = {
    a: [Tasks.getList, { team: 'a' }],
    b: [Tasks.getList, { team: 'b' }],
    sorted: [Tasks.getList, { team: 'a', sort: 'id' }],
    envelope: [getEnvelope, { team: 'a' }],
    others: [getOthers, { team: 'a' }],
  } as const;
  const rows = (value: unknown): unknown =>
    (Array.isArray(value) ? value : Reflect.get(Object(value), 'data')).map(({ id }: Task) => id);
  const state = (): Record<string, unknown> => ({
    ...Object.fromEntries(
      Object.entries(lists).map(([name, [getList, args]]) => [
        name,
        rows(controller.getResponse(getList, args)),
      ]),
    ),
    nested: rows(controller.getResponse(Projects.get, { id: '1' })?.tasks),
  });
  for (const [getList, args] of Object.values(lists)) await controller.fetch(getList, args);
  await controller.fetch(Projects.get, { id: '1' });
  const before = state();
  await controller.fetch(Tasks.getList.push, { id: '3', team: 'a' });
  const created = state();
  await controller.fetch(getEnvelope.push, { id: '4', team: 'a' });
  await controller.fetch(getOthers.unshift, { id: '5', team: 'a' });
  await controller.fetch(Tasks.delete, { id: '1' });
  const after = state();
  controller.dispose();
  return { before, created, after };
}
