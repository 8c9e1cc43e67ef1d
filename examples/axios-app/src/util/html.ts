const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

/** Text that may stand in a page. */
export const escaped = (text: string): string =>
  text.replace(/[&<"]/g, (character) => ENTITIES[character] ?? character);

/** A list; nothing at all when it is empty. */
export function list(items: readonly string[]): string {
  return items.length ? `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>` : '';
}
