import { isDevelopment } from '../errors/development.js';
import { setName } from '../errors/RestitchError.js';
import { SchemaError } from '../errors/SchemaError.js';

declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** A problem that a validator found in a response, such as a missing field. */
export interface ValidationIssue {
  readonly message: string;
  /** The path from the root of the response to the issue. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A validator of zod, valibot, arktype or another library: see https://standardschema.dev */
export interface Validator<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    /** Returns the output for a valid value, otherwise the issues. */
    validate(value: unknown): ValidationResult<Output> | Promise<ValidationResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** The output for a valid value, or the issues of an invalid value. */
export type ValidationResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly ValidationIssue[] };

/**
 * A response that does not pass the `validate` of its endpoint.
 *
 * @remarks It is a `SchemaError` with the code `validation-failed` and status 400. Other unusable
 * responses, such as invalid JSON, have the same status.
 *
 * @example
 * ```ts
 * import { ValidationError } from 'restitch';
 *
 * const messagesOf = (error: unknown) =>
 *   error instanceof ValidationError ? error.issues.map((issue) => issue.message) : [];
 * ```
 */
export class ValidationError extends SchemaError {
  static {
    setName(this.prototype, 'ValidationError');
  }

  /** In development, the error message quotes the first five issues. */
  declare readonly issues: readonly ValidationIssue[];

  constructor(owner: string, issues: readonly ValidationIssue[]) {
    super(
      'validation-failed',
      isDevelopment
        ? `${owner}: the response does not pass \`validate\` (${quoted(issues)}).`
        : owner,
    );
    this.issues = issues;
  }
}

function quoted(issues: readonly ValidationIssue[]): string | undefined {
  if (typeof process === 'undefined' ? false : process.env.NODE_ENV !== 'production') {
    const texts = issues.slice(0, QUOTED).map(({ path = [], message }) => {
      const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
      return keys.length ? `${keys.join('.')}: ${message}` : message;
    });
    const others = issues.length - texts.length;
    return [...texts, ...(others > 0 ? [`${others} more`] : [])].join('; ');
  }
  return;
}

const QUOTED = 5;

export async function validated(
  value: unknown,
  validator: Validator | undefined,
  owner: string,
): Promise<unknown> {
  if (!validator) return value;
  const result = await validator['~standard'].validate(value);
  if (result.issues) throw new ValidationError(owner, result.issues);
  return result.value;
}
