/** The script of a component, with its position in the file. */
export interface Script {
  readonly source: string;
  readonly start: number;
  /** The language, as a file extension: `ts`, `js`, `tsx` or `jsx`. */
  readonly extension: string;
}

const TAG = /<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/script\s*>/gi;

/** Returns the extension of a path without the dot. */
export const extensionOf = (path: string): string =>
  /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** Returns true if a file is a component, which contains scripts and other text. */
export const isComponent = (path: string): boolean => /^(vue|svelte)$/.test(extensionOf(path));

/** Returns the scripts of a component. A plain file is one script. */
export function scriptsOf(path: string, file: string): Script[] {
  if (!isComponent(path)) return [{ source: file, start: 0, extension: extensionOf(path) }];
  // A comment in the template may contain a tag.
  const visible = file.replace(/<!--[\s\S]*?-->/g, (comment) => ' '.repeat(comment.length));
  return [...visible.matchAll(TAG)].flatMap((match) => {
    const [whole, attributes = '', content = ''] = match;
    if (/\bsrc\s*=/.test(attributes)) return [];
    const start = match.index + whole.indexOf('>', '<script'.length + attributes.length) + 1;
    const lang = /\blang\s*=\s*["']?(\w+)/.exec(attributes)?.[1]?.toLowerCase() ?? 'js';
    const extension = lang === 'typescript' ? 'ts' : lang;
    return [{ source: file.slice(start, start + content.length), start, extension }];
  });
}
