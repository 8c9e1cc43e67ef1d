const SPECIFIER = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"])([^'"\r\n]+)\1/g;

/** Returns the names of modules in a source without parsing it. Names in comments are included. */
export const specifiersOf = (source: string): string[] => [
  ...new Set([...source.matchAll(SPECIFIER)].map(([, , name = '']) => name)),
];
