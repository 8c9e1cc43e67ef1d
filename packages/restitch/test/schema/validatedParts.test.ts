/** `validate` of a class gets whole records, even if a request changes only one field. */
import { Controller, Entity, resource } from 'restitch';
import { expect, it } from 'vitest';

class Price extends Entity {
  id = '';
  amount = 0;
  note = '';
  static override validate(value: Readonly<Record<string, unknown>>) {
    return typeof value['amount'] === 'number' ? undefined : '`amount` must be a number';
  }
}

it.each([true, false])(
  'a successful update of another field is shown after a 204 (optimistic: %s)',
  async (optimistic) => {
    let stored = { id: 'eur', amount: 1, note: 'old' };
    const send = (_: string, { method, body }: RequestInit): Promise<Response> => {
      if (method === 'GET') return Promise.resolve(Response.json(stored));
      stored = { ...stored, ...JSON.parse(body as string) };
      return Promise.resolve(new Response(null, { status: 204 }));
    };
    const Prices = resource({
      urlPrefix: 'http://x',
      path: '/prices/:id',
      schema: Price,
      optimistic,
      send,
    });
    const reports: unknown[] = [];
    const report = (error: unknown) => void reports.push(error);
    const controller = new Controller({ environment: { report } });
    const eur = { id: 'eur' };
    await controller.fetch(Prices.get, eur);
    const update = controller.fetch(Prices.partialUpdate, eur, { note: 'new' });
    expect(controller.get(Price, eur)?.note).toBe(optimistic ? 'new' : 'old');
    await update;
    expect(controller.get(Price, eur)).toMatchObject(stored);
    expect(reports).toEqual([]);
  },
);
