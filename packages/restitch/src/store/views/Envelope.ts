import { setField } from '../../schema/fields.js';

/**
 * The reference that arguments name, for an object with a single field, as in `{ data: User }`. It
 * is stored under that field. Unlike a stored object, it reads as missing if its content is
 * missing.
 */
export class Envelope {
  constructor(field: string, reference: unknown) {
    setField(this, field, reference);
  }
}
