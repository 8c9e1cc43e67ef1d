import { Collection, Entity, resource, uploadTransport } from 'restitch';
import * as v from 'valibot';
import { z } from 'zod';
import { filenameOf } from '../../../recipes/src/download.js';
import { Api } from './Api.js';

/** A private note. */
export class Note extends Entity {
  id = '';
  title = '';
  text = '';
  fileName: string | null = null;
  byteCount = 0;

  static override readonly key = 'Note';

  static override validate({ byteCount }: Readonly<Record<string, unknown>>): string | undefined {
    const isCount =
      byteCount === undefined || (Number.isInteger(byteCount) && Number(byteCount) >= 0);
    return isCount ? undefined : `byteCount is ${JSON.stringify(byteCount)}`;
  }
}

export class Profile extends Entity {
  name = '';
  fullName = '';

  static override readonly key = 'Profile';

  override pk(): string {
    return this.name;
  }
}

/** The body of a refusal: messages by field. */
export const Problem = z.object({
  errors: z.object({ title: z.string().optional(), body_text: z.string().optional() }),
});

export const Notes = resource({
  path: '/notes/:id',
  schema: Note,
  body: {} as { title: string; text: string },
  Endpoint: Api,
}).extend({
  getList: {
    // The length of the list is in a header.
    schema: { results: new Collection([Note]), total: 0 },
    async parseResponse(response) {
      const results: unknown = await Api.prototype.parseResponse.call(this, response);
      // The response to a create or a change is one record.
      return Array.isArray(results)
        ? { results, total: Number(response.headers.get('x-total-count')) }
        : results;
    },
  },
});

/** The same class as every other endpoint here, with another transport. */
export const attachFile = Notes.get.extend({
  path: '/notes/:id/file',
  method: 'PUT',
  body: {} as File,
  send: uploadTransport,
  fileName: '',
  onProgress: undefined as ((progress: number) => void) | undefined,
  getHeaders(headers) {
    const given = Api.prototype.getHeaders.call(this, headers) as Record<string, string>;
    return { ...given, 'x-file-name': encodeURIComponent(this.fileName) };
  },
});

export const downloadFile = new Api({
  path: '/notes/:id/file',
  dataExpiryLength: 0,
  parseResponse: async (response: Response) => ({
    blob: await response.blob(),
    filename: filenameOf(response),
  }),
  process: (file: { blob: Blob; filename: string }) => file,
});

/** Fetches whether a note is shared: the status is 404 if it is not. */
export const getShare = new Api({
  path: '/notes/:id/share',
  accepted: [404],
  validate: z.object({ is_shared: z.boolean() }),
  process: (value: { is_shared: boolean }) => ({ isShared: value.is_shared }),
});

/** The server leaves out the requested name. */
export const getProfile = new Api({
  path: '/users/:name',
  schema: Profile,
  validate: v.object({ full_name: v.string() }),
  process(value: unknown, { name }: { name: string }) {
    return { ...Api.prototype.process.call(this, value), name };
  },
});
