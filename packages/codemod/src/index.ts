export type { ClientReport } from './clients.js';
export {
  type Conversion,
  type ConvertedFile,
  type ConvertOptions,
  convertFiles,
  type Site,
  type SourceFile,
} from './convert.js';
export type { Resolve } from './transform/link.js';
export { type ReasonCode, REASONS } from './transform/reasons.js';
