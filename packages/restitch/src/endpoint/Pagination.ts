/** The paging of a server, made by `byCursor`, `byPage`, `byOffset` or `byLink`. */
export interface Pagination<F extends string = string> {
  /** The page parameter, in the format of `paginationField`. */
  readonly param: F;
  /** Stores the HTTP response of a result. A function such as `total` receives both. */
  readonly $note: (result: unknown, response: Response | undefined) => void;
}
