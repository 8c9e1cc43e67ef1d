/** The class of an endpoint sets options in class fields, after the constructor of restitch has run. */
import { Collection, Controller, Entity, RestEndpoint, type RestGenerics } from 'restitch';
import { expect, it } from 'vitest';

class Order extends Entity {
  id = '';
  label = '';
  static override key = 'FieldOrder';
}

class Api<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = 'http://api.test';
  override async send(_: RequestInfo | URL, { method }: RequestInit) {
    const label = method === 'GET' ? 'read' : 'moved';
    return Response.json([{ id: '1', label }]);
  }
}
class Scoped<O extends RestGenerics = any> extends Api<O> {
  override scope = 'ada';
}

it.each([
  ['urlPrefix', Api, undefined],
  ['urlPrefix, and a named list', Api, 'field orders'],
  ['urlPrefix and scope', Scoped, undefined],
  ['urlPrefix and scope, and a named list', Scoped, 'field orders'],
])('one endpoint has one list: %s', async (_, Class, name) => {
  const orders = new Collection([Order], name === undefined ? {} : { name });
  const getOrders = new Class({ path: '/orders', schema: orders });
  const assign = new Class({
    path: '/orders/bulk',
    method: 'PATCH',
    body: {} as object,
    schema: [orders.move],
  });
  const controller = new Controller();
  await controller.fetch(getOrders);
  await controller.fetch(assign, {});
  expect(controller.getResponse(getOrders)).toMatchObject([{ id: '1', label: 'moved' }]);
  if (Class === Api) expect(controller.get(orders)).toHaveLength(1);
});
