import { sample } from '../errors/excerpt.js';
import type { Union } from './Union.js';
import type { Unknown } from './unionMembers.js';

const warned = new WeakSet<Union>();

export function warnUnknown(source: string, { union, discriminator }: Unknown): void {
  if (!warned.has(union)) {
    warned.add(union);
    const known = [...union.entries()].map(([name]) => name).join(', ');
    // oxlint-disable-next-line no-console -- documented warning, once per union
    console.warn(
      `${source}: no class for the discriminator ${sample(discriminator)} of a union; its classes are for ${known}. ` +
        'The value is passed through unchanged.',
    );
  }
}
