import { Entity, RestEndpoint, type RestGenerics } from 'restitch';
import * as v from 'valibot';

/**
 * Checks each response with a valibot schema before it is stored.
 *
 * Use it when the server may send unexpected data and the size of the bundle matters. The output
 * of valibot is used. A response that doesn't match rejects with the `ValiError`, and nothing is
 * stored.
 */
export class ValibotEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare readonly validator?: v.GenericSchema | v.GenericSchemaAsync;

  override process(value: unknown): any {
    return this.validator ? v.parseAsync(this.validator, value) : value;
  }
}

const articleValidator = v.object({
  slug: v.pipe(v.string(), v.nonEmpty()),
  title: v.string(),
  tags: v.optional(v.array(v.string()), []),
});

/** Repeats the field names: valibot checks the response, and readers get the entity. */
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
  validator: articleValidator,
});

/** Without an entity, nothing is normalized. The validator defines the type of the call. */
export const getStatistics = new RestEndpoint({
  path: '/statistics',
  process: (value: unknown) => v.parse(v.object({ articles: v.number() }), value),
});
