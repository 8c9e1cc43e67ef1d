/** The endpoints of a program. */
import { coalesced, Entity, resource, RestEndpoint, serial } from 'restitch';
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

export function declare(program: Program, { send }: TicketServer) {
  const { optimistic, functions } = program;
  const options = { urlPrefix: 'http://x', send };
  const Tickets = resource({
    ...options,
    path: '/tickets/:id',
    schema: Ticket,
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
  const shared = { ...options, method: 'POST', body: undefined, schema: Ticket } as const;
  const isSkipping = functions === 'skipping';
  const plainVote = new RestEndpoint({ ...shared, path: '/tickets/:id/vote', name: 'vote' });
  const vote = plainVote.extend({
    getOptimisticResponse(snapshot, { id }) {
      const ticket = snapshot.get(Ticket, { id });
      if (!ticket || (isSkipping && ticket.votes % 2 === 1)) throw snapshot.abort;
      return { id, votes: ticket.votes + 1 };
    },
  });
  const plainFlag = new RestEndpoint({ ...shared, path: '/tickets/:id/flag', name: 'flag' });
  const flag = plainFlag.extend({
    getOptimisticResponse: (_, { id }) => ({ id, flag: true }),
  });
  const skippingMove = Tickets.getList.move.extend({
    getOptimisticResponse(snapshot, { id }, body) {
      const ticket = snapshot.get(Ticket, { id });
      if (!ticket || ticket.status === Object(body).status) throw snapshot.abort;
      return { id, ...body };
    },
  });
  const hasFunctions = functions !== 'none';
  const client = {
    lists: Tickets.getList,
    ticket: Tickets.get,
    user: Owners.get,
    push: Tickets.getList.push,
    unshift: Tickets.getList.unshift,
    patch: Tickets.partialUpdate,
    put: Tickets.update,
    delete: Tickets.delete,
    move: isSkipping ? skippingMove : Tickets.getList.move,
    vote: hasFunctions ? vote : plainVote,
    flag: hasFunctions ? flag : plainFlag,
    rename: Owners.partialUpdate,
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
    flag: serial(client.flag),
    rename: isJoined ? coalesced(client.rename) : serial(client.rename),
  };
}

export type Client = ReturnType<typeof declare>;
