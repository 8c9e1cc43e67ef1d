/** True if components are rendered to HTML here, where effects never run. */
export const isServer: boolean = typeof window === 'undefined';

const said = new Set<string>();

/** Warns the developer once, because a server repeats the same mistake for every visitor. */
export function warnOnServer(about: string, text: string): void {
  if (said.has(about)) return;
  said.add(about);
  // oxlint-disable-next-line eslint/no-console -- the page goes on
  console.warn(text);
}
