/** The endpoints of a program. */
import { coalesced, Collection, Entity, resource, RestEndpoint, serial } from 'restitch';
import type { Change, Program } from './program.js';
import type { TicketServer } from './TicketServer.js';

export class Owner extends Entity {
  id = '';
  name = '';
  static override key = 'Owner';
}

export class Ticket extends Entity {
  id = '';
  title = '';
  status = '';
  tags: readonly string[] = [];
  votes = 0;
  flag = false;
  owner: Owner = Owner.fromJS({});
  static override key = 'Ticket';
  static override schema = { owner: Owner };
}

export class Comment extends Entity {
  id = '';
  ticket = '';
  text = '';
  static override key = 'Comment';
}

const comments = new Collection([Comment], {
  name: 'comments',
  nestKey: (ticket: { id: string }) => ({ ticket: ticket.id }),
  argsKey: ({ ticket }: { ticket: string }) => ({ ticket }),
});

class Note extends Entity {
  id = '';
  static override key = 'Note';
}

/** The notes on a status, in each ticket with it. Those of a ticket without a status are its own. */
const notes = new Collection([Note], {
  nestKey: ({ status }: { status?: string }) => ({ status }),
});

class CommentedTicket extends Ticket {
  comments: readonly Comment[] = [];
  notes: readonly Note[] = [];
  static override schema = { owner: Owner, comments, notes };
}

export function declare(program: Program, { send }: TicketServer) {
  const { optimistic, functions } = program;
  const options = { urlPrefix: 'http://x', send };
  const schema: typeof Ticket = program.hasComments ? CommentedTicket : Ticket;
  const Tickets = resource({
    ...options,
    path: '/tickets/:id',
    schema,
    body: {} as Change,
    searchParams: {} as Record<string, string>,
    optimistic,
  });
  const Owners = resource({
    ...options,
    path: '/users/:id',
    schema: Owner,
    body: {} as { name?: string },
    optimistic,
  });
  const Comments = resource({
    ...options,
    path: '/tickets/:ticket/comments/:id',
    schema: Comment,
    body: {} as { text: string },
    optimistic,
  }).extend('getList', { schema: comments });
  const shared = { ...options, method: 'POST', body: undefined, schema } as const;
  const isSkipping = functions === 'skipping';
  const plainVote = new RestEndpoint({ ...shared, path: '/tickets/:id/vote', name: 'vote' });
  const praise = new RestEndpoint({
    ...shared,
    schema: Owner,
    path: '/users/:id/praise',
    name: 'praise',
  });
  const vote = plainVote.extend({
    getOptimisticResponse(snapshot, { id }) {
      const ticket = snapshot.get(schema, { id });
      if (!ticket || (isSkipping && ticket.votes % 2 === 1)) throw snapshot.abort;
      return { id, votes: ticket.votes + 1 };
    },
  });
  const plainFlag = new RestEndpoint({ ...shared, path: '/tickets/:id/flag', name: 'flag' });
  const flag = plainFlag.extend({
    getOptimisticResponse: (_, { id }) => ({ id, flag: true }),
  });
  const flagAll = new RestEndpoint({
    ...options,
    path: '/tickets/flag',
    method: 'POST',
    name: 'flagAll',
    searchParams: {} as Record<string, string>,
    body: undefined,
    schema: Tickets.getList.schema,
  });
  const skippingMove = Tickets.getList.move.extend({
    getOptimisticResponse(snapshot, { id }, body) {
      const ticket = snapshot.get(schema, { id });
      if (!ticket || ticket.status === Object(body).status) throw snapshot.abort;
      return { id, ...body };
    },
  });
  const hasFunctions = functions !== 'none';
  const client = {
    lists: Tickets.getList,
    ticket: Tickets.get,
    user: Owners.get,
    comments: Comments.getList,
    comment: Comments.getList.push,
    deleteComment: Comments.delete,
    push: Tickets.getList.push,
    unshift: Tickets.getList.unshift,
    patch: Tickets.partialUpdate,
    put: Tickets.update,
    delete: Tickets.delete,
    move: isSkipping ? skippingMove : Tickets.getList.move,
    vote: hasFunctions ? vote : plainVote,
    flag: hasFunctions ? flag : plainFlag,
    flagAll,
    rename: Owners.partialUpdate,
    praise,
  };
  if (program.sending === 'at once') return client;
  const isJoined = program.sending === 'coalesced';
  return {
    ...client,
    patch: isJoined ? coalesced(client.patch) : serial(client.patch),
    put: serial(client.put),
    delete: serial(client.delete),
    move: serial(client.move),
    vote: serial(client.vote),
    praise: serial(client.praise),
    flag: serial(client.flag),
    deleteComment: serial(client.deleteComment),
    rename: isJoined ? coalesced(client.rename) : serial(client.rename),
  };
}

export type Client = ReturnType<typeof declare>;
