const SPECIFIER = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])([^'"\r\n]+)\1/g;

/** The names of modules in a source, found without parsing it: also those in comments. */
export const specifiersOf = (source: string): string[] => [
  ...new Set([...source.matchAll(SPECIFIER)].map(([, , name = '']) => name)),
];
