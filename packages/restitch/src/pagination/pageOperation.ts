import type { AppendPage, ReplaceMembers } from '../store/journal/operations.js';

/** The operation of a response: `replace` for a first page, `page` for a further page. */
export type PageOperation = ReplaceMembers | AppendPage;
