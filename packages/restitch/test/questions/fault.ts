/** A reader shows what the rules do not explain. */
export class Fault extends Error {
  override readonly name = 'Fault';
  /** A word for its kind: reports count by it. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
