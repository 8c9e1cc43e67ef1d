/** Matches `<target>` and its parameters, up to the next comma outside of quotes. */
const LINK = /<([^>]*)>((?:[^,"]|"(?:\\.|[^"\\])*")*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i;

/** Returns the targets of a `Link` header (RFC 8288): the first one of each relation. */
export function linksIn(header: string): ReadonlyMap<string, string> {
  const links = new Map<string, string>();
  for (const [, target = '', params = ''] of header.matchAll(LINK)) {
    const [, quoted, token = ''] = REL.exec(params) ?? [];
    for (const relation of (quoted ?? token).toLowerCase().split(/\s+/)) {
      if (relation && !links.has(relation)) {
        links.set(relation, target);
      }
    }
  }
  return links;
}
