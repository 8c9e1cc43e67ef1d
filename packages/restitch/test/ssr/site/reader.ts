import { Entity } from 'restitch';
import { hydrateController } from 'restitch/ssr';

class Note extends Entity {
  id = '';
  text = '';
  static override key = 'Note';
}

const controller = hydrateController();

/** What tests call in the page. */
export type Read = (id: string) => string | undefined;

const read: Read = (id) => controller.get(Note, id)?.text;
Object.assign(globalThis, { read });
