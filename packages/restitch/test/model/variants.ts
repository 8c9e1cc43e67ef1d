/** The kinds of random programs, and which part of all programs each is. */
import type { ProgramOptions } from './generators.js';

export interface Variant {
  readonly share: number;
  readonly options: ProgramOptions;
}

const plain: ProgramOptions = { functionLayers: false, merging: 'plain', maxLength: 30 };
const layered: ProgramOptions = { ...plain, functionLayers: true };

/** The shares add up to one. */
export const VARIANTS = {
  short: { share: 0.05, options: { ...plain, maxLength: 12 } },
  long: { share: 0.05, options: plain },
  stalling: { share: 0.1, options: { ...layered, stalls: true, adopts: true } },
  abandoned: { share: 0.1, options: { ...layered, stalls: true, adopts: true, forgetful: true } },
  polling: { share: 0.1, options: { ...layered, polls: true } },
  functions: { share: 0.1, options: layered },
  forgetful: { share: 0.1, options: { ...layered, forgetful: true } },
  freshness: { share: 0.1, options: { ...layered, upkeep: true } },
  adoption: { share: 0.1, options: { ...layered, adopts: true } },
  hydrating: { share: 0.1, options: { ...layered, hydrates: true } },
  merging: { share: 0.05, options: { ...layered, merging: 'titles' } },
  reordering: { share: 0.05, options: { ...layered, merging: 'counts' } },
} satisfies Record<string, Variant>;
