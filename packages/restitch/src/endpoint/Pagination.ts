/** The paging of a server. `byCursor`, `byPage`, `byOffset` and `byLink` create it. */
export interface Pagination<F extends string = string> {
  /** The page parameter, in the format of `paginationField`. */
  readonly param: F;
  /** Records the response of a result. Paging functions then receive both. */
  readonly '~note': (result: unknown, response: Response | undefined) => void;
}
