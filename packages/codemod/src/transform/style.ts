/** The style of a file, so that new lines look like the old ones. */
export interface Style {
  readonly quote: "'" | '"';
  readonly semicolon: '' | ';';
  readonly indent: string;
  readonly newline: '\n' | '\r\n';
}

const count = (source: string, pattern: RegExp): number => source.match(pattern)?.length ?? 0;

/** Returns the most frequent style of a file. */
export function styleOf(source: string): Style {
  // Only imports count, because JSX and apostrophes require certain quotes.
  const [doubles, singles] = ['"', "'"].map((quote) =>
    count(
      source,
      new RegExp(`(?:\\bfrom|\\bimport|\\brequire\\()\\s*${quote}[^'"\\n]+${quote}`, 'g'),
    ),
  ) as [number, number];
  const ends = count(source, /;[ \t]*\r?$/gm);
  const open = count(source, /[\w)\]'"`][ \t]*\r?$/gm);
  const indents = [...source.matchAll(/^([ \t]+)\S/gm)].map(([, space = '']) => space);
  const smallest = Math.min(
    ...indents.filter((space) => !space.includes('\t') && space.length > 1).map((s) => s.length),
    4,
  );
  return {
    quote: doubles > singles ? '"' : "'",
    semicolon: ends === 0 && open > 0 ? '' : ';',
    indent: indents.some((space) => space.startsWith('\t'))
      ? '\t'
      : ' '.repeat(indents.length ? smallest : 2),
    newline: source.includes('\r\n') ? '\r\n' : '\n',
  };
}

/** Returns a string literal in the quotes of the file. */
export function quoted(text: string, { quote }: Style): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r');
  return quote + escaped + quote;
}
