import { convertFiles } from './convert.js';

/** The argument of jscodeshift for each file. */
export interface FileInfo {
  readonly path: string;
  readonly source: string;
}

/** The options of jscodeshift that the transform reads. */
export interface TransformOptions {
  readonly inline?: boolean;
  readonly todo?: boolean;
  readonly withoutAxios?: boolean;
}

/**
 * The conversion as a jscodeshift transform. It converts one file at a time, so instances are not
 * followed into other files.
 *
 * @remarks The syntax tree of jscodeshift is not used. Text is changed in place, so each line that
 * is not converted stays the same, byte for byte. Returns undefined if there is nothing to change.
 * @throws SyntaxError when the file cannot be parsed. jscodeshift then leaves the file unchanged.
 *
 * @example
 * ```sh
 * npx jscodeshift -t node_modules/restitch-codemod/dist/transform.js src
 * ```
 */
export default function transform(
  file: FileInfo,
  _api?: unknown,
  options: TransformOptions = {},
): string | undefined {
  const { files } = convertFiles([file], { ...options, complete: false });
  const [converted] = files;
  if (converted?.error !== undefined) throw new SyntaxError(converted.error);
  return converted?.changed ? converted.source : undefined;
}
