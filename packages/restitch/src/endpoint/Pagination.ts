/** The paging of a server. Made by `byCursor`, `byPage`, `byOffset` and `byLink`. */
export interface Pagination<F extends string = string> {
  /** The page parameter, as for `paginationField`. */
  readonly param: F;
  /** Records the response from which a result was read, for functions of both. */
  readonly '~note': (result: unknown, response: Response | undefined) => void;
}
