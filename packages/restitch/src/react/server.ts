/** Whether components are rendered to HTML here: effects, and what they would say, never run. */
export const isServer: boolean = typeof window === 'undefined';

const said = new Set<string>();

/** For the developer, once: a server renders the same mistake for every visitor. */
export function warnOnServer(about: string, text: string): void {
  if (said.has(about)) return;
  said.add(about);
  // oxlint-disable-next-line eslint/no-console -- the page goes on
  console.warn(text);
}
