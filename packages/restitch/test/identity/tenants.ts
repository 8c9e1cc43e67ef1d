/** Endpoint classes with a getter for an option that decides whose data a response is. */
import { Entity, RestEndpoint, type RestGenerics } from 'restitch';
import { settle } from '../support/clock.js';

export class Note extends Entity {
  id = '';
  text = '';
  static override key = 'TenantNote';
}

/** The options that a getter can compute. */
export const computed = ['urlPrefix', 'service', 'scope'] as const;

/** One request in flight. */
export interface Held {
  /** The tenant that the request belongs to. */
  readonly tenant: string;
  readonly method: string;
  readonly body: unknown;
  readonly end: (status?: number) => void;
}

/** More requests than any test needs. */
const ENDLESS = 30;

/** A class whose getter returns the current tenant for one option. Its requests wait for the test. */
// The return type is what the classes infer; naming it would repeat them.
export function openTenants(option: (typeof computed)[number]) {
  const current = { tenant: 'one' };
  const held: Held[] = [];
  const sent: string[] = [];

  class Sending<O extends RestGenerics = any> extends RestEndpoint<O> {
    override getHeaders(headers: HeadersInit): HeadersInit {
      // As APIs do: the header belongs to the endpoint that sends the request.
      return { ...headers, tenant: String(Reflect.get(this, option)).replace('http://', '') };
    }

    override send(input: string, init: RequestInit): Promise<Response> {
      const url = new URL(input);
      const tenant = new Headers(init.headers).get('tenant') ?? '';
      const method = init.method ?? 'GET';
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
      sent.push(tenant);
      return new Promise((resolve) => {
        const end = (status = 200): void =>
          resolve(Response.json(responseTo(url, tenant, body), { status }));
        held.push({ tenant, method, body, end });
      });
    }
  }
  class WithPrefix<O extends RestGenerics = any> extends Sending<O> {
    override get urlPrefix(): string {
      return `http://${current.tenant}`;
    }
  }
  class WithService<O extends RestGenerics = any> extends Sending<O> {
    override urlPrefix = 'http://api';
    override get service(): string {
      return current.tenant;
    }
  }
  class WithScope<O extends RestGenerics = any> extends Sending<O> {
    override urlPrefix = 'http://api';
    override get scope(): string {
      return current.tenant;
    }
  }
  const Api = { urlPrefix: WithPrefix, service: WithService, scope: WithScope }[option];

  /** Ends all requests in flight. */
  const respond = async (status?: number): Promise<void> => {
    await settle();
    for (const request of held.splice(0)) request.end(status);
    await settle();
  };
  /** Ends requests until no request follows. */
  const quiet = async (): Promise<void> => {
    for (let idle = 0; idle < 3; idle += 1) {
      if (sent.length > ENDLESS) throw new Error('The requests have no end.');
      if (held.length > 0) idle = 0;
      await respond();
    }
  };
  /** Runs a function while another tenant is current. */
  const as = <T>(tenant: string, run: () => T): T => {
    const before = current.tenant;
    current.tenant = tenant;
    try {
      return run();
    } finally {
      current.tenant = before;
    }
  };
  return { Api, current, held, sent, respond, quiet, as };
}

function responseTo({ pathname, searchParams }: URL, tenant: string, body: unknown): unknown {
  const note = { id: tenant, text: tenant };
  if (body !== undefined) return { id: `${tenant} new`, ...Object(body) };
  if (pathname === '/notes') return [note];
  if (pathname === '/all') return { results: [note], total: 1 };
  if (pathname !== '/pages') return note;
  const cursor = searchParams.get('cursor');
  const results = [{ id: `${tenant} ${cursor ?? 'first'}`, text: tenant }];
  return { results, next: cursor === null ? 'second' : null };
}
