import { QueryClient, queryOptions } from '@tanstack/react-query';
import { addCost } from './cost.js';

/** The server offers its interface a second time here, so that these requests are not counted with those of the page. */
const PREFIX = '/by-url';

/** Fresh for as long as in the page, and with as many retries. Both refresh stale data when somebody comes back. */
export const createClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 60_000,
        retry: 2,
      },
    },
  });

/** Sends a request, and counts it and the bytes of its response. */
export async function get<T>(path: string, signal: AbortSignal): Promise<T> {
  addCost({ requests: 1 });
  const response = await fetch(PREFIX + path, { signal });
  const body = await response.arrayBuffer();
  addCost({ bytes: body.byteLength });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  // The cast: the server is the page's own.
  return JSON.parse(new TextDecoder().decode(body)) as T;
}

export interface UserCopy {
  id: number;
  name: string;
}

export interface IssueCopy {
  id: number;
  number: number;
  project: string;
  title: string;
  status: string;
  priority: number;
  author: UserCopy;
  assignee: UserCopy | null;
  labels: { id: number; name: string }[];
  commentCount: number;
  createdAt: string;
}

export interface CommentCopy {
  id: number;
  body: string;
  author: UserCopy;
}

export interface IssuePage {
  results: IssueCopy[];
  end: string | null;
  remaining: number;
}

export const users = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => get<UserCopy[]>('/users', signal),
});

export const projects = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => get<unknown[]>('/projects', signal),
});

export const labels = queryOptions({
  queryKey: ['labels'],
  queryFn: ({ signal }) => get<unknown[]>('/labels', signal),
});

export const issue = (id: number) =>
  queryOptions({
    queryKey: ['issue', id],
    queryFn: ({ signal }) => get<IssueCopy>(`/issues/${id}`, signal),
  });

export const comments = (issueId: number) =>
  queryOptions({
    queryKey: ['comments', issueId],
    queryFn: ({ signal }) => get<CommentCopy[]>(`/issues/${issueId}/comments`, signal),
  });
