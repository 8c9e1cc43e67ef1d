/** The paging of a server, made by `byCursor`, `byPage`, `byOffset` or `byLink`. */
export interface Pagination<F extends string = string> {
  /** The page parameter, in the format of `paginationField`. */
  readonly param: F;
  /** Keeps the HTTP response of a result for functions such as `total`, which can read headers. */
  readonly $note: (result: unknown, response: Response | undefined) => void;
}
