import { processingText } from '../schema/processingText.js';
import { signatureOf } from '../schema/signature.js';
import type { Result } from '../store/cells/Result.js';

/**
 * Returns a text for the schema of an endpoint and its custom steps, such as `process`. Endpoints
 * with equal keys and equal texts take each other's hydrated results.
 */
export function resultSignature({ endpoint, shape }: Pick<Result, 'endpoint' | 'shape'>): string {
  const processing = processingText(endpoint);
  return signatureOf(shape) + (processing && ` ${processing}`);
}
