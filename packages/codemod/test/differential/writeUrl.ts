/** Writes down URLs. */
import type { Expression, Segment, Url } from './program.js';
import type { Mode } from './write.js';
import { LITERAL_BASE } from './writeInstance.js';

const isText = (part: string | Expression): part is string => typeof part === 'string';

/** A text as source. */
export const quote = (text: string): string => `'${text}'`;

function segmentValue(item: Expression, whole: boolean, mode: Mode): string {
  if (mode === 'plain') return item.text;
  return `__segment(${item.encoded ? `decodeURIComponent(${item.text})` : item.text}, ${whole})`;
}

function queryValue(item: Expression, mode: Mode): string {
  return mode === 'plain' || item.encoded ? item.text : `encodeURIComponent(\`\${${item.text}}\`)`;
}

// The pieces of a URL: text as it stands, and the text of expressions.
function urlPieces(url: Url, mode: Mode): readonly (string | { readonly text: string })[] {
  const pieces: (string | { readonly text: string })[] = [];
  if (url.start === 'absolute') pieces.push(LITERAL_BASE);
  if (url.start === 'constant') pieces.push({ text: 'BASE' });
  if (url.start === 'imported') pieces.push({ text: 'API_ROOT' });
  if (url.start === 'environment') pieces.push({ text: 'process.env.EXAMPLE_HOST' });
  if (url.start === 'slashed') pieces.push({ text: 'ROOT' });
  url.segments.forEach((segment: Segment, index) => {
    const bare = url.start === 'slashed' || (url.start === 'relative' && !url.leadingSlash);
    if (index > 0 || !bare) pieces.push('/');
    for (const part of segment) {
      if (isText(part)) pieces.push(part);
      // A URL that begins with a value may be a whole address, which is taken as it is.
      else if (!pieces.length) pieces.push({ text: part.text });
      else pieces.push({ text: segmentValue(part, segment.length === 1, mode) });
    }
  });
  url.query.forEach(({ key, value }, index) => {
    pieces.push(`${index ? '&' : '?'}${key}=`);
    pieces.push(isText(value) ? value : { text: queryValue(value, mode) });
  });
  return pieces;
}

/** A URL as source. */
export function writeUrl(url: Url, mode: Mode): string {
  const pieces = urlPieces(url, mode);
  const merged: (string | { readonly text: string })[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (typeof piece === 'string' && typeof last === 'string')
      merged[merged.length - 1] = last + piece;
    else merged.push(piece);
  }
  const [first] = merged;
  if (merged.length === 1 && typeof first === 'string') return quote(first);
  if (!url.concatenated) {
    return `\`${merged.map((piece) => (typeof piece === 'string' ? piece.replace(/\$/g, '\\$') : `\${${piece.text}}`)).join('')}\``;
  }
  const terms = merged.map((piece) =>
    typeof piece === 'string'
      ? quote(piece)
      : /^[\w.[\]()']+$/.test(piece.text)
        ? piece.text
        : `(${piece.text})`,
  );
  // Two numbers next to each other would be added.
  return (typeof first === 'string' ? terms : ["''", ...terms]).join(' + ');
}
