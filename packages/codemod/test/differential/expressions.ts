/** The expressions that programs use, by where they may stand. The first of each list is what failures shrink to. */
import type { Expression, InputName, Language } from './program.js';

function expression(kind: string, text: string, ...reads: readonly InputName[]): Expression {
  return { kind, text, reads };
}

const encoded = (text: string, ...reads: readonly InputName[]): Expression => ({
  ...expression('encodeURIComponent(x)', text, ...reads),
  encoded: true,
});

/** Values of path segments. */
export const pathValues: readonly Expression[] = [
  expression('name', 'id', 'id'),
  expression('name', 'slug', 'slug'),
  expression('name', 'page', 'page'),
  expression('member', 'user.id', 'user'),
  expression('member', 'user._id', 'user'),
  expression('member', 'user.name', 'user'),
  expression('member', 'item.id', 'item'),
  expression('computed member', "item['id']", 'item'),
  expression('computed member', 'tags[0]', 'tags'),
  expression('optional member', 'user?.id', 'user'),
  encoded('encodeURIComponent(slug)', 'slug'),
  encoded('encodeURIComponent(user.name)', 'user'),
  encoded('encodeURIComponent(String(id))', 'id'),
  expression('constant of the module', 'SECTION'),
  expression('variable of the module', 'current'),
  expression('ternary', "id ? id : 'me'", 'id'),
  expression('fallback', "slug || 'none'", 'slug'),
  expression('fallback', "slug ?? 'none'", 'slug'),
  expression('call', 'String(id)', 'id'),
  expression('call', 'slug.toLowerCase()', 'slug'),
  expression('call', 'keyOf(item)', 'item'),
  expression('await', 'await later(slug)', 'slug'),
  expression('arithmetic', 'page + 1', 'page'),
  expression('side effect', 'next()'),
  expression('nested template', '`n-${id}`', 'id'),
  expression('parentheses', '(slug)', 'slug'),
  { ...expression('type assertion', 'id as string', 'id'), typeScript: true },
  { ...expression('type assertion', 'slug!', 'slug'), typeScript: true },
  expression('literal', "'fixed'"),
  expression('literal', '42'),
];

/** Values of query parameters. */
export const queryValues: readonly Expression[] = [
  expression('name', 'term', 'term'),
  expression('name', 'page', 'page'),
  expression('name', 'flag', 'flag'),
  expression('name', 'id', 'id'),
  encoded('encodeURIComponent(term)', 'term'),
  encoded('encodeURIComponent(user.name)', 'user'),
  expression('member', 'user.name', 'user'),
  expression('array', 'tags', 'tags'),
  expression('null or undefined', 'nothing', 'nothing'),
  expression('constant of the module', 'SECTION'),
  expression('ternary', "flag ? 'yes' : 'no'", 'flag'),
  expression('call', "tags.join(',')", 'tags'),
  expression('arithmetic', 'page * 10', 'page'),
  expression('side effect', 'next()'),
  expression('Date', 'new Date(0)'),
  expression('literal object', '{ b: 1 }'),
  expression('await', 'await later(term)', 'term'),
  expression('literal', "'new'"),
  expression('literal', '20'),
  expression('literal', 'true'),
  expression('literal', 'undefined'),
  expression('literal', 'null'),
  expression('literal array', "['a', 'b']"),
  expression('literal array', '[]'),
];

/** `params` that are not an object literal. */
export const paramObjects: readonly Expression[] = [
  expression('object in a name', 'filter', 'filter'),
  expression('object literal with a spread', '{ page, ...filter }', 'page', 'filter'),
  expression('object literal with a spread', '{ ...filter, sort: SECTION }', 'filter'),
  expression('URLSearchParams', 'new URLSearchParams({ term })', 'term'),
  expression('call', 'toParams(filter)', 'filter'),
  {
    ...expression('object in a local constant', 'params', 'page', 'term'),
    setup: ['const params = { page, q: term };'],
  },
];

/** Values of headers. */
export const staticHeaders: readonly Expression[] = [
  expression('literal', "'web'"),
  expression('literal', "'text/csv'"),
  expression('constant of the module', 'SECTION'),
  expression('literal number', '7'),
];

/** Values of headers that read parameters. */
export const localHeaders: readonly Expression[] = [
  expression('local template', '`Bearer ${token}`', 'token'),
  expression('local name', 'token', 'token'),
  expression('local member', 'item.kind', 'item'),
  expression('local number', 'page', 'page'),
  expression('null or undefined', 'nothing', 'nothing'),
  expression('await', '`Bearer ${await later(token)}`', 'token'),
  expression('side effect', '`${next()}`'),
];

/** Bodies. */
export const bodies: readonly Expression[] = [
  expression('name', 'payload', 'payload'),
  expression('object literal', "{ name: 'Ada' }"),
  expression('object literal', '{ term, page }', 'term', 'page'),
  expression('object literal', "{ id, kind: item.kind, 'x-y': [1, null] }", 'id', 'item'),
  expression('object literal with a spread', '{ ...payload, page }', 'payload', 'page'),
  expression('empty object', '{}'),
  expression('side effect', '{ turn: next() }'),
  expression('await', '{ name: await later(term) }', 'term'),
  expression('array', 'tags', 'tags'),
  expression('array', '[page, { term }]', 'page', 'term'),
  expression('member', 'payload.inner', 'payload'),
  expression('call', 'wrap(payload)', 'payload'),
  expression('undefined', 'undefined'),
  expression('null', 'null'),
  expression('FormData', 'toForm(filter)', 'filter'),
  {
    ...expression('FormData', 'form', 'term'),
    setup: ['const form = new FormData();', "form.append('term', term);"],
  },
  {
    ...expression('object in a local constant', 'body', 'page'),
    setup: ['const body = { page };'],
  },
  expression('URLSearchParams', 'new URLSearchParams({ term })', 'term'),
  expression('Blob', "new Blob([term], { type: 'text/csv' })", 'term'),
  expression('text', "'plain text'"),
  expression('JSON text', 'JSON.stringify(payload)', 'payload'),
  expression('text in a name', 'term', 'term'),
];

/** The declarations that expressions need at module level, by the word that shows the need. */
export function helpers(language: Language): readonly (readonly [word: string, text: string])[] {
  const typed = language === 'ts' || language === 'tsx';
  const type = (text: string): string => (typed ? `: ${text}` : '');
  return [
    ['SECTION', "const SECTION = 'seven';"],
    ['LIMIT', 'const LIMIT = 5_000;'],
    ['current', `let current${type('string')} = 'early';\ncurrent = 'late';`],
    ['keyOf', `function keyOf(value${type('{ id: string }')}) {\n  return value.id;\n}`],
    ['later', `async function later(value${type('string')}) {\n  return value;\n}`],
    ['next', 'let turns = 0;\nfunction next() {\n  turns += 1;\n  return turns;\n}'],
    ['wrap', `const wrap = (inner${type('unknown')}) => ({ inner });`],
    ['toParams', `const toParams = (values${type('object')}) => ({ ...values });`],
    [
      'toForm',
      `function toForm(values${type('object')}) {\n  const form = new FormData();\n` +
        '  for (const [key, value] of Object.entries(values)) form.append(key, String(value));\n  return form;\n}',
    ],
    ['keep', `function keep(value${type('any')}) {\n  return value;\n}`],
  ];
}

/** The types of the parameters, in TypeScript. */
export const inputTypes: Readonly<Record<InputName, string>> = {
  id: 'string | number',
  slug: 'string',
  user: '{ id: number; _id: string; name: string }',
  item: '{ id: string; kind: string }',
  page: 'number',
  term: 'string',
  flag: 'boolean',
  tags: 'string[]',
  nothing: 'string | null | undefined',
  filter: 'Record<string, string | number | boolean | null | undefined>',
  payload: 'Record<string, any>',
  token: 'string',
  signal: 'AbortSignal',
};
