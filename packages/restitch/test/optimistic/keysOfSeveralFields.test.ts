/** Optimistic creates of a class whose `pk` reads several fields, one of which the server assigns. */
import { All, Controller, countRequests, Entity, keyOf, pendingOf, resource } from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

class Member extends Entity {
  id = 0;
  team = 0;
  role = '';
  override pk() {
    return `${this.team}-${this.id}`;
  }
}
class Unset extends Entity {
  declare id?: number;
  team = 0;
  role = '';
  override pk() {
    return `${this.team}-${this.id}`;
  }
}
class Page extends Entity {
  kind = 'page';
  slug = '';
  override pk() {
    return `${this.kind}/${this.slug}`;
  }
}

const server = await serverOfFile();
const urlPrefix = server.origin;

describe.each([Member, Unset])('two creates of a class with a composite `pk`', (schema) => {
  it('are two rows, and an edit waits for its create', async () => {
    const path = '/teams/:team/members/:id';
    const Members = resource({ urlPrefix, path, schema, optimistic: true });
    const controller = new Controller();
    let next = 9;
    server.respond(({ method, url, body }) => {
      const id = Number(url.split('/')[4] ?? next++);
      return method === 'GET' ? [] : { id, team: 1, ...(JSON.parse(body) as object) };
    });
    await controller.fetch(Members.getList, { team: 1 });
    const shown = () => controller.getResponse(Members.getList, { team: 1 }) ?? [];
    const creates = ['a', 'b'].map((role) =>
      controller.fetch(Members.getList.push, { team: 1 }, { role }),
    );
    expect(shown().map(({ role }) => role)).toEqual(['a', 'b']);
    const id = shown().at(-1)?.id ?? 0;
    await controller.fetch(Members.partialUpdate, { team: 1, id }, { role: 'edited' });
    const created = await Promise.all(creates);
    expect(server.seen.at(-1)).toMatchObject({
      method: 'PATCH',
      url: `/teams/1/members/${created[1]?.id}`,
    });
    expect(shown().map((member) => [member.id, member.role])).toEqual([
      [created[0]?.id, 'a'],
      [created[1]?.id, 'edited'],
    ]);
  });
});

it('a `pk` whose other fields have defaults is the key at once', () => {
  const Pages = resource({ urlPrefix, path: '/pages/:slug', schema: Page, optimistic: true });
  const controller = new Controller();
  controller.setResponse(Pages.getList, []);
  controller.fetch(Pages.getList.push, { slug: 'a' }).catch(() => {});
  expect(controller.get(Page, 'page/a')).toMatchObject({ kind: 'page', slug: 'a' });
});

class Guarded extends Entity {
  id = '';
  org = '';
  title = '';
  override pk(): string | undefined {
    return this.id && `${this.org}/${this.id}`;
  }
}
class FullyGuarded extends Guarded {
  override pk() {
    return this.org && this.id ? `${this.org}/${this.id}` : undefined;
  }
}
class Unguarded extends Guarded {
  override pk() {
    return `${this.org}/${this.id}`;
  }
}
class IdFirst extends Guarded {
  override pk() {
    return `${this.id}@${this.org}`;
  }
}
class Numbered extends Entity {
  id = 0;
  org = '';
  title = '';
  override pk() {
    return `${this.org}/${this.id}`;
  }
}

class Team extends Entity {
  id = '';
}
class ByTeam extends Entity {
  id = '';
  org = Team.fromJS();
  title = '';
  static override schema = { org: Team };
  override pk() {
    return `${this.org.id}/${this.id}`;
  }
}
class Encoded extends Guarded {
  override pk() {
    return `${encodeURIComponent(this.org)}/${encodeURIComponent(this.id)}`;
  }
}
class Dated extends Numbered {
  at = new Date(0);
  static override schema = { at: Date };
  override pk() {
    return this.at.getTime() < 0 ? 'before' : `${this.org}/${this.id}`;
  }
}

describe.each([Guarded, FullyGuarded, Unguarded, IdFirst, Numbered, ByTeam, Encoded, Dated])(
  'a pending row with a combined key',
  (schema) => {
    const params = { org: 'a' };
    function openCreate() {
      const path = '/orgs/:org/tickets/:id';
      const Tickets = resource({ urlPrefix, path, schema, optimistic: true });
      const controller = new Controller();
      controller.setResponse(Tickets.getList, params, []);
      controller.set(Team, { id: 'a' }, {});
      let release = (): void => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      let isRefused = false;
      server.respond(({ method, url, body }, response) => {
        const id = url.split('/')[4] ?? 5;
        const value = method === 'DELETE' ? {} : { org: 'a', ...(JSON.parse(body) as object), id };
        void released.then(() => {
          response.writeHead(isRefused ? 500 : 200, { 'content-type': 'application/json' });
          response.end(JSON.stringify(value));
        });
      });
      const create = controller.fetch(Tickets.getList.push, params, { title: 'new' });
      const shown = () => controller.getResponse(Tickets.getList, params) ?? [];
      const answer = (refuses = false): void => {
        isRefused = refuses;
        release();
      };
      const [row] = shown();
      if (!row) throw new Error('The create shows no row.');
      return { Tickets, controller, create, shown, answer, row, named: { ...params, id: row.id } };
    }

    it('has a temporary `id`, by which it is read, and an edit shows at once', async () => {
      const { Tickets, controller, create, shown, answer, row, named } = openCreate();
      expect(row.id).toBeTruthy();
      expect([controller.get(schema, named), controller.get(schema, row.pk() ?? '')]).toEqual([
        row,
        row,
      ]);
      const edit = controller.fetch(Tickets.partialUpdate, named, { title: 'edited' });
      expect(shown().map(({ title }) => title)).toEqual(['edited']);
      answer();
      await Promise.all([create, edit]);
      expect(shown().map(({ id, title }) => [String(id), title])).toEqual([['5', 'edited']]);
      expect(server.seen.at(-1)).toMatchObject({ method: 'PATCH', url: '/orgs/a/tickets/5' });
    });

    it('has one `keyOf`, and its requests are pending', async () => {
      const { controller, create, shown, answer, row } = openCreate();
      const key = keyOf(row);
      expect(key).toBeTruthy();
      expect(pendingOf(controller, row).map(({ kind }) => kind)).toEqual(['create']);
      expect(countRequests(controller, { entity: schema, pk: row.pk() ?? '' })).toBe(1);
      answer();
      await create;
      expect(shown().map(keyOf)).toEqual([key]);
      const [saved] = shown();
      expect([saved?.pk(), saved && pendingOf(controller, saved)]).toEqual([
        schema === IdFirst ? '5@a' : 'a/5',
        [],
      ]);
    });

    it('is deleted at once, and under its real key', async () => {
      const { Tickets, controller, create, shown, answer, named } = openCreate();
      const deletion = controller.fetch(Tickets.delete, named);
      expect(shown()).toEqual([]);
      answer();
      await Promise.all([create, deletion]);
      expect(shown()).toEqual([]);
      expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', url: '/orgs/a/tickets/5' });
    });

    it('is in no selection twice, and leaves no trace when the create fails', async () => {
      const { controller, create, shown, answer, row } = openCreate();
      const all = new All(schema);
      expect(controller.get(all)).toEqual([row]);
      answer(true);
      await expect(create).rejects.toThrow();
      expect([shown(), controller.get(schema, row.pk() ?? ''), controller.get(all) ?? []]).toEqual([
        [],
        undefined,
        [],
      ]);
    });
  },
);

it('an edit of a record shows, also when the create of a part of its key has ended', async () => {
  class Room extends Entity {
    id = '';
    name = '';
  }
  class Seat extends Entity {
    id = '';
    room = '';
    title = '';
    override pk() {
      return `${this.room}/${this.id}`;
    }
  }
  const responses: (() => void)[] = [];
  const shared = {
    urlPrefix: 'http://x',
    optimistic: true,
    send: async (url: string, { method, body }: RequestInit): Promise<Response> => {
      await new Promise<void>((resolve) => responses.push(resolve));
      if (method === 'PATCH') return new Response(null, { status: 204 });
      const room = url.endsWith('/rooms') ? {} : { room: 'r1' };
      return Response.json({ ...JSON.parse(body as string), id: room.room ? 's1' : 'r1', ...room });
    },
  };
  const Rooms = resource({ ...shared, path: '/rooms/:id', schema: Room });
  const Seats = resource({ ...shared, path: '/rooms/:room/seats/:id', schema: Seat });
  const controller = new Controller();
  controller.setResponse(Rooms.getList, []);
  const seats = () => controller.get(new All(Seat)) ?? [];
  const titles = () => seats().map(({ title }) => title);
  const calls = [controller.fetch(Rooms.getList.push, { name: 'room' })];
  const room = controller.getResponse(Rooms.getList)?.[0]?.id ?? '';
  calls.push(controller.fetch(Seats.getList.push, { room }, { title: 'new' }) as never);
  const id = seats()[0]?.id ?? '';
  calls.push(controller.fetch(Seats.partialUpdate, { room, id }, { title: 'edited' }) as never);
  for (let count = 0; count < 3; count += 1) {
    expect(titles()).toEqual(['edited']);
    await expect.poll(() => responses.length).toBeGreaterThan(0);
    responses.shift()?.();
  }
  await Promise.all(calls);
  expect(titles()).toEqual(['edited']);
});
