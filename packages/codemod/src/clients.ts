import { AXIOS, type Client } from './transform/clients.js';
import { lineOf, startOf } from './transform/module.js';
import type { Plan } from './transform/plan.js';
import type { Project } from './transform/project.js';
import type { ReasonCode } from './transform/reasons.js';

/** A client that still needs axios, with the reasons. */
export interface ClientReport {
  /** `axios`, or the name of an instance. */
  readonly name: string;
  /** The file that creates the instance; absent for `axios` itself. */
  readonly path?: string;
  readonly line?: number;
  /** The number of converted calls that still send with axios, through `restitch/axios`. */
  readonly bridged: number;
  /**
   * The number of calls by which interceptors of the client send a request again. These calls stay,
   * because they belong to the interceptor.
   */
  readonly repeats: number;
  /** The number of calls that were left, by reason. */
  readonly reasons: Readonly<Partial<Record<ReasonCode, number>>>;
}

export function clientReports(project: Project, plan: Plan): ClientReport[] {
  const clients: readonly Client[] = [AXIOS, ...project.instances];
  return clients.flatMap((client): ClientReport[] => {
    const reasons: Partial<Record<ReasonCode, number>> = {};
    for (const [use, { code }] of plan.strict) {
      const own = client.kind === 'instance' && use.path === client.call;
      if (use.client === client ? use.kind !== 'create' : own)
        reasons[code] = (reasons[code] ?? 0) + 1;
    }
    if (Object.keys(reasons).length === 0) return [];
    const bridged = [...plan.requests.values()].filter(
      ({ request, draft }) =>
        request.use.client === client && (draft.ownClass !== undefined || client !== AXIOS),
    ).length;
    const place =
      client.kind === 'instance'
        ? {
            path: client.module.path,
            line: lineOf(client.module, startOf(client.call.node)),
          }
        : {};
    const name = client.kind === 'instance' ? client.variable : 'axios';
    const repeats = [...plan.repeats.values()].filter((one) => one === client).length;
    return [{ name, ...place, bridged: plan.bridged.has(client) ? bridged : 0, repeats, reasons }];
  });
}
