/** Fields of a custom primary key that a record or the arguments lack: their defaults would name another record. */
import {
  All,
  Controller,
  Entity,
  EntityMixin,
  Invalidate,
  resource,
  RestEndpoint,
  type RestitchError,
} from 'restitch';
import { describe, expect, it } from 'vitest';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();

class Product extends Entity {
  code = 0;
  name = '';
  override pk() {
    return this.code;
  }
}

class Ticket extends Entity {
  code = 0;
  org = '';
  name = '';
  override pk() {
    return `${this.org}/${this.code}`;
  }
}

class TextKeyed extends Entity {
  code = 0;
  name = '';
  override pk() {
    return String(this.code);
  }
}

class Plain {
  code = 0;
  name = '';
}
class Mixed extends EntityMixin(Plain, { pk: 'code' }) {}

const CLASSES = [
  ['a number', Product],
  ['several fields', Ticket],
  ['the text of a number', TextKeyed],
  ['a field that `EntityMixin` names', Mixed],
] as const;

const codeOf = (action: () => unknown): string | undefined => {
  try {
    action();
    return undefined;
  } catch (error) {
    return (error as RestitchError).code;
  }
};

describe.each(CLASSES)('the primary key is %s', (_, schema) => {
  const Items = resource({ urlPrefix: server.origin, path: '/items/:code', schema });
  const open = () => {
    const controller = new Controller();
    controller.setResponse(Items.getList, [{ code: 0, org: '', name: 'zero' }] as never);
    return controller;
  };
  const names = (controller: Controller) =>
    controller.get(new All(schema))?.map(({ name }) => name);

  it('a response without it is refused', () => {
    const controller = open();
    const rows = [{ name: 'x' }, { name: 'y' }];
    expect(codeOf(() => controller.setResponse(Items.getList, rows as never))).toBe(
      'missing-primary-key',
    );
    expect(names(controller)).toEqual(['zero']);
  });

  it('a deletion without it is refused', () => {
    const controller = open();
    const remove = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/removed',
      method: 'POST',
      schema: new Invalidate(schema),
    });
    expect(codeOf(() => controller.setResponse(remove, { name: 'x' } as never))).toBe(
      'missing-primary-key',
    );
    expect(names(controller)).toEqual(['zero']);
  });

  it('arguments without it name no record', async () => {
    const controller = open();
    expect(controller.get(schema, { name: 'x' } as never)).toBeUndefined();
    const rename = new RestEndpoint({
      urlPrefix: server.origin,
      path: '/batches/:batch',
      method: 'PATCH',
      body: {} as { name: string },
      schema,
    });
    server.respond((_request, response) => response.writeHead(204).end());
    expect(await controller.fetch(rename, { batch: 'a' }, { name: 'changed' })).toBeNull();
    expect(names(controller)).toEqual(['zero']);
  });

  it('zero is a key if it is given', () => {
    expect(open().get(schema, { code: 0, org: '' } as never)?.name).toBe('zero');
  });
});

it('a record that lacks one of several key fields is refused', () => {
  const Tickets = resource({ urlPrefix: server.origin, path: '/tickets/:code', schema: Ticket });
  const controller = new Controller();
  expect(codeOf(() => controller.setResponse(Tickets.getList, [{ code: 1 }] as never))).toBe(
    'missing-primary-key',
  );
});

it('a record that lacks a key field without a default is refused', () => {
  class Line extends Entity {
    org = '';
    declare no: number;
    override pk() {
      return `${this.org}/${this.no}`;
    }
  }
  const Lines = resource({ urlPrefix: server.origin, path: '/orgs/:org/lines/:no', schema: Line });
  const controller = new Controller();
  const rows = [{ org: 'a' }, { org: 'a' }];
  expect(codeOf(() => controller.setResponse(Lines.getList, { org: 'a' }, rows as never))).toBe(
    'missing-primary-key',
  );
  controller.setResponse(Lines.getList, { org: 'undefined' }, [{ org: 'undefined', no: 1 }]);
  expect(controller.get(Line, { org: 'undefined', no: 1 })?.no).toBe(1);
  expect(controller.get(Line, { org: 'undefined' } as never)).toBeUndefined();
});

it('a default other than `""` and 0 counts as a value', () => {
  class Setting extends Entity {
    scope = 'all';
    name = '';
    override pk() {
      return this.scope;
    }
  }
  const Settings = resource({
    urlPrefix: server.origin,
    path: '/settings/:scope',
    schema: Setting,
  });
  const controller = new Controller();
  controller.setResponse(Settings.getList, [{ name: 'x' }] as never);
  expect(controller.get(Setting, { scope: 'all' })?.name).toBe('x');
});

it('a field that another one replaces may be missing', () => {
  class Page extends Entity {
    id = 0;
    slug = '';
    override pk() {
      return this.slug || this.id;
    }
  }
  const Pages = resource({ urlPrefix: server.origin, path: '/pages/:id', schema: Page });
  const controller = new Controller();
  controller.setResponse(Pages.getList, [{ id: 5 }, { id: 6, slug: 'about' }] as never);
  expect(controller.get(new All(Page))?.map((page) => page.pk())).toEqual([5, 'about']);
  expect(controller.get(Page, { id: 5 })?.id).toBe(5);
});

it.each([
  ['a condition', (row: Child) => (row.parent ? `${row.parent}/${row.id}` : `root/${row.id}`)],
  ['a comparison', (row: Child) => (row.parent === null ? row.id : `${row.parent}/${row.id}`)],
  ['a replacement', (row: Child) => `${row.parent ?? 'root'}:${row.id}`],
])('a part that is null can be expected: %s', (name, pk) => {
  class Row extends Child {
    static override key = `NullPart ${name}`;
    override pk() {
      return pk(this);
    }
  }
  const Rows = resource({ urlPrefix: server.origin, path: '/rows/:id', schema: Row });
  const controller = new Controller();
  const rows = [null, '1'].flatMap((parent) => ['1', '2'].map((id) => ({ id, parent })));
  controller.setResponse(Rows.getList, rows as never);
  expect(controller.get(new All(Row))).toHaveLength(4);
});

class Child extends Entity {
  id = '';
  parent: string | null | undefined = undefined;
}
