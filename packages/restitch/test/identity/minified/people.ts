import { Collection, type Controller, Endpoint, Entity, resource } from 'restitch';

const Row = (() =>
  class extends Entity {
    id = '';
    label = '';
  })();

const list = new Collection([Row]);
const Rows = resource({ path: '/api/people/:id', schema: Row });
const summary = new Endpoint(async () => [{ id: '1', label: 'summary of people' }], {
  schema: list,
});
const count = new Endpoint(
  (
    () => async () =>
      'people'
  )(),
);

export async function show(controller: Controller): Promise<string> {
  const row = await controller.fetchIfStale(Rows.get, { id: '1' });
  const rows = await controller.fetchIfStale(Rows.getList);
  const counted = await controller.fetchIfStale(count);
  return [row.label, ...rows.map(({ label }) => label), counted].join(' | ');
}

export function again(controller: Controller): string {
  const rows = controller.getResponse(Rows.getList) ?? [];
  const row = controller.get(Row, { id: '1' });
  const known = controller.getResponse(summary) ?? [];
  return [
    row?.label,
    ...rows.map(({ label }) => label),
    controller.getResponse(count),
    known.length,
  ].join(' | ');
}
