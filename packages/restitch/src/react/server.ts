/** True on a server, where React runs no effects. */
export const isServer: boolean = typeof window === 'undefined';

const warned = new Set<string>();

/** Warns once, because a server repeats the same mistake for every visitor. */
export function warnOnServer(about: string, text: string): void {
  if (warned.has(about)) return;
  warned.add(about);
  // oxlint-disable-next-line eslint/no-console -- the page goes on
  console.warn(text);
}
