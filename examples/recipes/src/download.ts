import { RestEndpoint, type RestEndpointOptions, type RestGenerics } from 'restitch';

/** A file and its name from the server. */
export interface NamedFile {
  readonly blob: Blob;
  readonly filename: string;
}

/**
 * Returns a file with its name.
 *
 * Use it for downloads that are saved under the name in `content-disposition`. If you don't need
 * the name, you need no class: `new RestEndpoint({ path, content: 'blob', dataExpiryLength: 0 })`
 * resolves to the Blob, and with `'arrayBuffer'` to its bytes. A server on another origin must
 * list the header in `access-control-expose-headers`.
 */
export class DownloadEndpoint<O extends RestGenerics = any> extends RestEndpoint<O & FileOptions> {
  // Differs from the parent in its types only: `content` and `process` are members below.
  constructor(options: RestEndpointOptions<O>) {
    super(options as RestEndpointOptions<O & FileOptions>);
  }

  override content = 'blob' as const;
  /** Files may be large, so they are not kept in memory. */
  override dataExpiryLength = 0;

  override async parseResponse(response: Response): Promise<NamedFile> {
    // The parent would read an empty file as null.
    return { blob: await response.blob(), filename: filenameOf(response) };
  }

  override process(value: NamedFile): NamedFile {
    return value;
  }
}

/** The options that the class sets itself. */
interface FileOptions {
  process(value: NamedFile): NamedFile;
}

/** The `filename=` part of the `content-disposition` header, or `download`. */
export function filenameOf(response: Response): string {
  const header = response.headers.get('content-disposition') ?? '';
  const match = /(?:^|[;\s])filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i.exec(header);
  return match?.[1]?.replace(/\\(.)/g, '$1') || match?.[2]?.trim() || 'download';
}
