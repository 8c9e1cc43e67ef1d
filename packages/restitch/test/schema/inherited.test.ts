/** What classes of records get from `Entity`, and may ask it for where they override it. */
import { Controller, Endpoint, Entity, type EntityMeta, EntityMixin, indexBy } from 'restitch';
import { describe, expect, it } from 'vitest';

describe('a class of records', () => {
  it('may ask Entity for what it overrides', () => {
    class Product extends Entity {
      id: string | undefined = undefined;
      code = '';
      price = 0;
      static override key = 'InheritedProduct';
      override pk(): string | number | undefined {
        return super.pk() ?? this.code;
      }
      static override process(input: unknown): unknown {
        return { ...(super.process(input) as object), seen: true };
      }
      static override validate(value: Readonly<Record<string, unknown>>): string | undefined {
        return super.validate(value) ?? (value['price'] === -1 ? 'wrong' : undefined);
      }
      static override shouldReorder(...args: [EntityMeta, EntityMeta, {}, {}]): boolean {
        return super.shouldReorder(...args);
      }
    }
    const controller = new Controller();
    controller.set(Product, {}, { id: '1', code: 'a', price: 5 });
    controller.set(Product, {}, { code: 'b' });
    controller.set(Product, {}, { code: 'b', price: 7 });
    expect(controller.get(Product, { id: '1' })).toMatchObject({ price: 5, seen: true });
    expect(controller.get(Product, { code: 'b' })).toMatchObject({ price: 7, seen: true });
    expect(controller.get(Product, { code: 'c' })).toBeUndefined();
    expect(() => controller.set(Product, {}, { id: '2', price: -1 })).toThrow('wrong');
  });

  it('takes `key` and `defaults` by assignment, and another key by a second one', () => {
    class Assigned extends Entity {
      id = '';
      name = '';
    }
    Object.assign(Assigned, { key: 'First' });
    Object.assign(Assigned, { key: 'Second', defaults: { name: 'nobody' } });
    expect(Assigned.key).toBe('Second');
    expect(Object.keys(Assigned)).toContain('key');
    const controller = new Controller();
    controller.set(Assigned, {}, { id: '1' });
    expect(controller.get(Assigned, { id: '1' })?.name).toBe('nobody');
  });

  it('has the defaults of its fields where `defaults` are no object', () => {
    class Plain extends Entity {
      id = '';
      name = 'of the field';
      static override key = 'InheritedPlain';
    }
    Object.defineProperty(Plain, 'defaults', { value: undefined });
    const controller = new Controller();
    controller.set(Plain, {}, { id: '1' });
    expect(controller.get(Plain, { id: '1' })?.name).toBe('of the field');
  });

  it('shows a field that a getter of the class hides, deserialized and to be written', () => {
    class Event extends Entity {
      id = '';
      get at(): Date | undefined {
        return undefined;
      }
      static override key = 'InheritedEvent';
      static override schema = { at: Date };
    }
    const controller = new Controller();
    controller.set(Event, {}, { id: '1', at: '2026-01-01' } as object);
    const event = controller.get(Event, { id: '1' });
    expect(event?.at).toEqual(new Date('2026-01-01'));
    const copy = Event.fromJS({ at: new Date(0) } as object);
    expect(Object.assign(copy, { at: new Date(1) }).at).toEqual(new Date(1));
  });

  it('is asked with createIfValid whatever its defaults, and refuses what validate refuses', () => {
    class Strict extends Entity {
      id = '';
      name = '';
      static override key = 'InheritedStrict';
      static override fromJS<T extends Entity>(this: new () => T, fields: object = {}): T {
        return Object.assign(new this(), fields);
      }
    }
    const controller = new Controller();
    controller.set(Strict, {}, { id: '1', name: '' });
    expect(controller.get(Strict, { id: '1' })?.name).toBe('');
    Strict.validate = ({ name }) => (name === '' ? 'the name is empty' : undefined);
    expect(Strict.createIfValid({ id: '1', name: '' })).toBeUndefined();
    expect(Strict.createIfValid({ id: '1', name: 'a' })).toMatchObject({ name: 'a' });
  });
});

describe('arguments', () => {
  class User extends Entity {
    id = '';
    email = '';
    name = '';
    static override key = 'InheritedUser';
    static override indexes = indexBy('email', 'name');
  }
  const open = (): Controller => {
    const controller = new Controller();
    controller.set(User, {}, { id: 5, email: 'a@b', name: 'Ada' });
    controller.set(User, {}, { id: 'true', email: 'c@d', name: 'Cy' });
    return controller;
  };

  it('may be the key itself, as text or number', () => {
    const getUser = new Endpoint(async (_id: string | number): Promise<unknown> => null, {
      name: 'getUser',
      schema: User,
    });
    const controller = open();
    for (const id of [5, '5']) expect(controller.getResponse(getUser, id)?.name).toBe('Ada');
    expect(controller.getResponse(getUser, 6)).toBeUndefined();
  });

  it.each([[undefined], [null], [true], [{}], ['']])('%j names no record', (first) => {
    expect(open().get(User, first as never)).toBeUndefined();
  });

  it('name a record by any of its indexes where they hold no key', () => {
    const controller = open();
    expect(controller.get(User, { name: 'Ada' })?.email).toBe('a@b');
    expect(controller.get(User, { id: '', name: 'Ada' })?.email).toBe('a@b');
    expect(controller.get(User, { id: {} as string, name: 'Cy' })?.email).toBe('c@d');
  });

  it('that `pk` makes nothing of name a record by an index', () => {
    class Coded extends Entity {
      code: string | null = null;
      email = '';
      static override key = 'InheritedCoded';
      static override indexes = indexBy('email');
      override pk(): string {
        return this.code as string;
      }
    }
    const controller = new Controller();
    controller.set(Coded, {}, { code: 'x', email: 'a@b' });
    expect(controller.get(Coded, { email: 'a@b' })?.code).toBe('x');
  });
});

describe('EntityMixin', () => {
  class Base {
    code = '';
    pk(): string {
      return `base-${this.code}`;
    }
  }

  it('leaves the primary key to a class that has one', () => {
    const Mixed = EntityMixin(Base, { key: 'InheritedMixed' });
    const controller = new Controller();
    controller.set(Mixed, {}, { code: '1' });
    expect(controller.get(Mixed, 'base-1')?.code).toBe('1');
  });

  it('gives members that may be replaced', () => {
    const Mixed = EntityMixin(Base, { key: 'InheritedReplaced', pk: 'code' });
    Mixed.prototype.pk = () => 'replaced';
    Object.defineProperty(Mixed, 'name', { value: 'Renamed' });
    expect([new Mixed().pk(), Mixed.name]).toEqual(['replaced', 'Renamed']);
  });
});
