/** The script of a component, and where it stands in its file. */
export interface Script {
  readonly source: string;
  readonly start: number;
  /** As the extension of a file: `ts`, `js`, `tsx`, `jsx`. */
  readonly extension: string;
}

const TAG = /<script\b((?:[^>"']|"[^"]*"|'[^']*')*)>([\s\S]*?)<\/script\s*>/gi;

/** The extension of a path, without its dot. */
export const extensionOf = (path: string): string =>
  /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** Returns true if a file holds scripts among other things. */
export const isComponent = (path: string): boolean => /^(vue|svelte)$/.test(extensionOf(path));

/** The scripts of a component; a plain file is one script. */
export function scriptsOf(path: string, file: string): Script[] {
  if (!isComponent(path)) return [{ source: file, start: 0, extension: extensionOf(path) }];
  // A comment in the template may hold a tag.
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
