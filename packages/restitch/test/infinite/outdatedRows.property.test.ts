/**
 * Random programs that edit rows on any page of an infinite list. Edits overlap, so that the rows are out of order, and
 * actions have an empty response (204). Another endpoint sends the first rows meanwhile. Once everything is quiet, all rows
 * and authors are those of the server.
 *
 * See `programs.property.test.ts` for the number of programs.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AuthoredPost, type Paging } from './pagingWorld.js';
import { authorOf } from '../support/ListServer.js';
import {
  editingSteps,
  markedSteps,
  open,
  type Options,
  parameters,
  silentOptions,
} from './programs.js';

const chatOf = (chosen: Options, chat: Paging['chat']): Options => ({
  ...chosen,
  paging: { ...chosen.paging, style: 'cursor', chat },
  maxPages: undefined,
  anchored: false,
});

const kinds = [
  ['a list', undefined, editingSteps],
  ['a chat', 'linked', editingSteps],
  ['a chat whose pages name no next page', 'unlinked', editingSteps],
  ['a list whose first rows another endpoint sends', undefined, markedSteps],
] as const;

it.each(kinds)(
  'after overlapping edits and actions without a response, each loaded row of %s is that of the server',
  async (_, chat, steps) => {
    await fc.assert(
      fc.asyncProperty(silentOptions, steps, async (options, program) => {
        const chosen = chat ? chatOf(options, chat) : options;
        const { world, shown, runAll, reports } = open(chosen);
        await runAll(program);
        const list = shown();
        for (const post of list?.items ?? []) {
          // Others can have deleted a row on a page that was not loaded again.
          if (!world.visible.includes(post.id)) continue;
          const { id, note, acts } = post;
          expect({ id, note, acts }).toEqual({
            id,
            note: world.noteOf(id),
            acts: world.actsOf(id),
          });
          if (post instanceof AuthoredPost) {
            const { author } = post;
            expect({ id: author.id, note: author.note }).toEqual({
              id: authorOf(post),
              note: world.noteOf(author.id),
            });
          }
        }
        expect(list?.isRefreshing).not.toBe(true);
        expect(reports).toEqual([]);
      }),
      { ...parameters, numRuns: Math.ceil(parameters.numRuns / 4) },
    );
  },
  3_600_000,
);
