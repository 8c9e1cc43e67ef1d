import { claimName, type Module } from './module.js';

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns `apiKey` for `API_KEY`, and other names unchanged. */
export const camelName = (name: string): string =>
  /^[A-Z][A-Z\d]*(_[A-Z\d]+)*$/.test(name) && name.length > 1
    ? name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    : name;

/** Matches path segments that describe no record, such as `api` and `v1`. */
const NOISE = /^(api|rest|v\d+)$/i;

const IRREGULAR: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
};

/** Returns the singular of an English plural, by its spelling. */
export function singular(word: string): string {
  const known = IRREGULAR[word.toLowerCase()];
  if (known) return known;
  if (/(ss|us|is|news|series)$/i.test(word)) return word;
  if (/[^aeiou]ies$/i.test(word)) return word.replace(/ies$/i, 'y');
  if (
    /(ses|xes|zes|ches|shes)$/i.test(word) &&
    !/(cases|bases|uses|houses|licenses|expenses|purchases|responses|releases|databases|courses|phases|caches)$/i.test(
      word,
    )
  )
    return word.replace(/es$/i, '');
  return word.replace(/s$/i, '');
}

const camel = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map(capital)
    .join('');

/** Returns a name for method and path, such as `getUserPosts` for `GET /users/:id/posts`. */
export function endpointName(method: string, path: string, prefix: string): string {
  const segments = path.replace(/\\/g, '').split(/[/?]/).filter(Boolean);
  const words = segments.flatMap((segment, index) => {
    if (segment.startsWith(':')) return [];
    const word = camel(segment);
    if (NOISE.test(word) || word === '') return [];
    return [segments[index + 1]?.startsWith(':') ? singular(word) : word];
  });
  const [only] = segments;
  const byValue = only?.startsWith(':') ? `By${capital(only.slice(1))}` : 'Root';
  const name = words.map(capital).join('') || camel(prefix) || byValue;
  return method.toLowerCase() + name;
}

export const claimEndpointName = (module: Module, wanted: string): string =>
  claimName(module, wanted, [`${wanted}Endpoint`]);
