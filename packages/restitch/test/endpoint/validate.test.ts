import {
  Collection,
  Entity,
  RestEndpoint,
  SchemaError,
  ValidationError,
  type ValidationResult,
  type Validator,
} from 'restitch';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { serverOfFile } from '../support/server.js';

const server = await serverOfFile();
beforeEach(() => {
  server.respond(() => ({ id: '5', at: '2026-01-02' }));
});

/** A validator as libraries make them. */
const validatorOf = <Output>(
  validate: (value: unknown) => ValidationResult<Output> | Promise<ValidationResult<Output>>,
): Validator<Output> => ({ '~standard': { version: 1, vendor: 'test', validate } });

const dated = validatorOf((value) => {
  const { id, at } = value as { id: string; at: string };
  return { value: { id: Number(id), at: new Date(at) } };
});

const make = (options: object): RestEndpoint =>
  new RestEndpoint({ path: '/things/:id', urlPrefix: server.origin, name: 'Thing', ...options });

describe('validate', () => {
  test('gives the call its output', async () => {
    const endpoint = new RestEndpoint({
      path: '/things/:id',
      urlPrefix: server.origin,
      validate: dated,
    });
    const thing = await endpoint({ id: 5 });
    expect([thing.id, thing.at.getFullYear()]).toEqual([5, 2026]);
  });

  test('runs after parsing and before `process`, which gets its output', async () => {
    const process = vi.fn((value: { id: number }) => value.id + 1);
    expect(await make({ validate: dated, process })({ id: 5 })).toBe(6);
    expect(process).toHaveBeenCalledWith({ id: 5, at: new Date('2026-01-02') }, { id: 5 });
  });

  test('may be async, and may be a callable object', async () => {
    const validate = Object.assign(
      () => {},
      validatorOf(async () => ({ value: 'checked' })),
    );
    expect(await make({ validate })({ id: 5 })).toBe('checked');
  });

  test('sees null where the body is empty', async () => {
    server.raw(204, undefined, '');
    const seen: unknown[] = [];
    const validate = validatorOf((value) => {
      seen.push(value);
      return { value: 'nothing' };
    });
    expect(await make({ validate })({ id: 5 })).toBe('nothing');
    expect(seen).toEqual([null]);
  });

  test('is not asked about a response whose status is not ok', async () => {
    server.raw(404, 'application/json', '{}');
    const check = vi.fn(() => ({ value: 1 }));
    const endpoint = make({ validate: validatorOf(check) });
    await expect(endpoint({ id: 5 })).rejects.toMatchObject({ status: 404 });
    expect(check).not.toHaveBeenCalled();
  });

  test('may be a class field, and extend replaces or removes it', async () => {
    class Checked extends RestEndpoint {
      override validate = validatorOf(() => ({ value: 'field' }));
    }
    const endpoint = new Checked({ path: '/things/:id', urlPrefix: server.origin });
    expect(await endpoint({ id: 5 })).toBe('field');
    const other = endpoint.extend({ validate: validatorOf(() => ({ value: 'option' })) });
    expect(await other({ id: 5 })).toBe('option');
    const without = make({ validate: dated }).extend({ validate: undefined });
    expect(await without({ id: 5 })).toEqual({ id: '5', at: '2026-01-02' });
  });

  test('that of a list is not used for what `push` creates', async () => {
    class Thing extends Entity {
      id = '';
    }
    const list = new RestEndpoint({
      path: '/things',
      urlPrefix: server.origin,
      schema: new Collection([Thing]),
      validate: z.array(z.object({ id: z.string() })),
    });
    expect(await list.push({ id: '5' })).toMatchObject({ id: '5' });
    await expect(list()).rejects.toBeInstanceOf(ValidationError);
  });
});

describe('a response that does not pass', () => {
  const issues = [
    { message: 'not a number', path: ['items', 0, { key: 'price' }] },
    { message: 'too early' },
  ];

  test('rejects with the issues and where they are', async () => {
    const process = vi.fn();
    const call = make({ validate: validatorOf(() => ({ issues })), process })({ id: 5 });
    const error: unknown = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toBeInstanceOf(SchemaError);
    expect(error).toMatchObject({
      name: 'ValidationError',
      code: 'validation-failed',
      status: 400,
      issues,
      message:
        'Thing: the response does not pass `validate` (items.0.price: not a number; too early).',
    });
    expect(process).not.toHaveBeenCalled();
  });

  test('with many issues quotes five and counts the others', async () => {
    const many = Array.from({ length: 7 }, (_, index) => ({ message: `no ${index}` }));
    const call = make({ validate: validatorOf(() => ({ issues: many })) })({ id: 5 });
    await expect(call).rejects.toThrow(/\(no 0; no 1; no 2; no 3; no 4; 2 more\)/);
    await expect(call).rejects.toMatchObject({ issues: many });
  });

  test('is a hard error that is not tried again', async () => {
    const endpoint = make({ validate: validatorOf(() => ({ issues })), retry: 3 });
    server.seen.length = 0;
    const error: unknown = await endpoint({ id: 5 }).catch((reason: unknown) => reason);
    expect(endpoint.errorPolicy(error)).toBe('hard');
    expect(server.seen).toHaveLength(1);
  });

  test('with an exception of the validator rejects with that', async () => {
    const validate = validatorOf(() => {
      throw new RangeError('broken');
    });
    await expect(make({ validate })({ id: 5 })).rejects.toThrow(RangeError);
  });
});

describe('validation with zod', () => {
  const Thing = z.object({ id: z.string().transform(Number), at: z.coerce.date() });

  test('the output of the schema is what the call resolves to', async () => {
    const endpoint = new RestEndpoint({
      path: '/things/:id',
      urlPrefix: server.origin,
      validate: Thing,
    });
    expect(await endpoint({ id: 5 })).toEqual({ id: 5, at: new Date('2026-01-02') });
  });

  test('an error names each path', async () => {
    const endpoint = make({ validate: z.object({ id: z.number(), tags: z.array(z.string()) }) });
    server.respond(() => ({ id: 'x', tags: ['a', 1] }));
    await expect(endpoint({ id: 5 })).rejects.toThrow(/id: .*number.*; tags\.1: .*string/);
  });
});
