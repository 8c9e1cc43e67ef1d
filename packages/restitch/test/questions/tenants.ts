/** Getters that say whose data an endpoint asks for. A step is at the tenant of its question. */
import { Api } from './kit.js';
import { PREFIXES, type Read } from './reads.js';

/** What the getters return, and the tenant at present. */
export interface Tenants {
  readonly by: 'urlPrefix' | 'service';
  current: number;
}

const SERVICES = ['one', 'two'] as const;

export class TenantApi extends Api {
  declare readonly tenants: Tenants;

  override get urlPrefix(): string {
    const { by, current } = this.tenants;
    return by === 'urlPrefix' ? at(PREFIXES, current) : PREFIXES[0];
  }

  override get service(): string {
    const { by, current } = this.tenants;
    return by === 'service' ? at(SERVICES, current) : this.urlPrefix;
  }

  override getHeaders(headers: HeadersInit): HeadersInit {
    // A copy: a list of pairs has no names to spread.
    const given = Object.fromEntries(new Headers(headers));
    return this.tenants.by === 'service' ? { ...given, authorization: this.service } : given;
  }
}

/** What a read is for each tenant: at an address of its own, or at one address for another user. */
export const forTenants = (read: Read, { by }: Tenants): readonly Read[] =>
  [0, 1].map((tenant) => {
    const own = { tenant, label: `${read.label} at tenant ${tenant}` };
    return by === 'urlPrefix'
      ? { ...read, ...own, prefix: at(PREFIXES, tenant) }
      : { ...read, ...own, service: at(SERVICES, tenant) };
  });

function at(values: readonly [string, string], tenant: number): string {
  return tenant === 0 ? values[0] : values[1];
}
