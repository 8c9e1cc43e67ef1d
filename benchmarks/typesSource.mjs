// @ts-check
/** The files whose types are measured. */

/**
 * Two endpoints derived from a resource.
 * @param {number} i
 */
export const byFunction = (i) => `export const X${i} = R${i}.extend((base) => ({
  one: base.get.extend({ path: '/r${i}/:group/:id/one' }),
  all: base.getList.extend({ path: '/r${i}/:group/all' }),
}));`;

/**
 * The same, with six typed calls.
 * @param {number} i
 */
export const callSites = (i) => `${byFunction(i)}
export const calls${i} = [
  X${i}.get({ group: 1, id: 2 }),
  X${i}.getList({ group: 1 }),
  X${i}.getList.push({ group: 1 }, { name: 'x' }),
  X${i}.one({ group: 1, id: 1 }),
  controller.fetch(X${i}.get, { group: 1, id: 1 }),
  controller.fetch(X${i}.update, { group: 1, id: 1 }, { name: 'x' }),
];`;

/**
 * A module with `count` resources, each with its own entity, two path parameters and search parameters.
 * @param {(i: number) => string} uses What is done with each.
 * @param {number} count
 */
export function sourceOf(uses, count) {
  const parts = Array.from(
    { length: count },
    (_, i) => `
class E${i} extends Entity { id = ''; name = ''; field${i} = 0 }
export const R${i} = resource({
  path: '/r${i}/:group/:id',
  schema: E${i},
  searchParams: {} as { search${i}?: string },
});
${uses(i)}
`,
  );
  return `import { Controller, Entity, resource } from 'restitch';
declare const controller: Controller;
${parts.join('')}export { controller };
`;
}
