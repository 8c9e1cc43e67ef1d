import type { AppendPage, ReplaceMembers } from '../store/journal/operations.js';

export type PageOperation = ReplaceMembers | AppendPage;
