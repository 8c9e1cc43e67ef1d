import type { AppendPage, ReplaceMembers } from '../store/journal/operations.js';

/** A response of a list: its first page, or another one. */
export type PageOperation = ReplaceMembers | AppendPage;
