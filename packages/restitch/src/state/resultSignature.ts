import { processingText } from '../schema/processingText.js';
import { signatureOf } from '../schema/signature.js';
import type { Result } from '../store/cells/Result.js';

/**
 * Endpoints with equal keys and equal signatures take each other's hydrated results. The signature
 * covers the schema and custom steps such as `process`.
 */
export function resultSignature({ endpoint, shape }: Pick<Result, 'endpoint' | 'shape'>): string {
  const processing = processingText(endpoint);
  return signatureOf(shape) + (processing && ` ${processing}`);
}
