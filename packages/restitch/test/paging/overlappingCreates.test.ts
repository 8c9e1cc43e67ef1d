/** Creates of one list that overlap with one another and with a page: the order of the responses changes nothing. */
import { expect, it } from 'vitest';
import { openPages, type Request } from './support.js';

/** The orders in which three requests may be answered. */
const ORDERS = ['8 9 page', '8 page 9', '9 8 page', '9 page 8', 'page 8 9', 'page 9 8'];

/** The orders in which they may be sent: 8 is sent before 9. */
const SENT = ['8 9 page', '8 page 9', 'page 8 9'];

/** The places of 8 and 9, and what is shown then. */
const PLACES = [
  ['unshift', 'unshift', '9 8 1 2 3 →end'],
  ['push', 'push', '1 2 3 8 9 →end'],
  ['push', 'unshift', '9 1 2 3 8 →end'],
  ['unshift', 'push', '8 1 2 3 9 →end'],
] as const;

const cases = PLACES.flatMap(([first, second, expected]) =>
  SENT.flatMap((sent) =>
    ORDERS.map((settled) => ({
      places: [first, second] as const,
      expected,
      sent,
      answered: settled,
    })),
  ),
);

it.each(cases)(
  '8 and 9 are created by $places, sent as $sent and answered as $answered',
  async ({ places, expected, sent, answered: settled }) => {
    const { seed, page, create, shownNow } = openPages();
    seed({ ids: ['1', '2'], next: 'b' });
    const requests = new Map<string, Request>();
    for (const name of sent.split(' ')) {
      const place = places[name === '8' ? 0 : 1];
      requests.set(name, name === 'page' ? page() : create({ id: name }, place));
    }
    for (const name of settled.split(' ')) {
      const request = requests.get(name);
      await (name === 'page'
        ? request?.respond({ ids: ['3'], next: null })
        : request?.created({ id: name }));
    }
    expect(shownNow()).toBe(expected);
  },
);
