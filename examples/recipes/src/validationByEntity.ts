import { Entity, RestEndpoint } from 'restitch';

/**
 * Lets an entity check its own records, without another library.
 *
 * Use it when a few fields may be wrong. The initializers define the types, and `validate` checks
 * the values. It runs for every record, in every response. If it returns a message, the request
 * rejects and nothing of the response is stored.
 */
export class Product extends Entity {
  id = '';
  title = '';
  /** In cents. */
  price = 0;

  static override readonly key = 'Product';

  static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
    const { price } = value;
    // The field may be missing: lists may contain partial records.
    if (price !== undefined && !(Number.isInteger(price) && Number(price) >= 0)) {
      return `price is ${JSON.stringify(price)}, not a whole number of cents`;
    }
    return undefined;
  }
}

export const getProduct = new RestEndpoint({ path: '/products/:id', schema: Product });
