import { Entity, RestEndpoint, type RestGenerics } from 'restitch';
import * as v from 'valibot';

/**
 * A valibot schema checks each answer before it is stored.
 *
 * Use it when the server may send something else than it promises and the size of the bundle matters. What valibot gives
 * back is what is used. An answer that does not fit rejects with the `ValiError`, and nothing is stored.
 */
export class ValibotEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly answer?: v.GenericSchema | v.GenericSchemaAsync;

  override process(value: unknown): any {
    return this.answer ? v.parseAsync(this.answer, value) : value;
  }
}

const articleAnswer = v.object({
  slug: v.pipe(v.string(), v.nonEmpty()),
  title: v.string(),
  tags: v.optional(v.array(v.string()), []),
});

/** Its fields repeat the names: valibot checks what arrives, the entity is what readers see. */
export class Article extends Entity {
  slug = '';
  title = '';
  tags: string[] = [];

  static override readonly key = 'Article';

  override pk(): string {
    return this.slug;
  }
}

/** Checked by valibot, then normalized by the entity. */
export const getArticle = new ValibotEndpoint({
  path: '/articles/:slug',
  schema: Article,
  answer: articleAnswer,
});

/** Without an entity nothing is normalized; the type of the call follows from the validator. */
export const getStatistics = new RestEndpoint({
  path: '/statistics',
  process: (value: unknown) => v.parse(v.object({ articles: v.number() }), value),
});
