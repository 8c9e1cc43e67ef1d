/** The paging of a server, made by `byCursor`, `byPage`, `byOffset` or `byLink`. */
export interface Pagination<F extends string = string> {
  /** The page parameter, in the format of `paginationField`. */
  readonly param: F;
  /** Records the response of a result. Paging functions then receive both. */
  readonly $note: (result: unknown, response: Response | undefined) => void;
}
