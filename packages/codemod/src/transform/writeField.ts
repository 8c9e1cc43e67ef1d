import type { Node } from '@babel/types';
import type { Instance } from './clients.js';
import { construct, indentAt, prefixWord, statementEnd, WIDTH } from './construct.js';
import { insertion } from './edits.js';
import { anchorAfter } from './hoist.js';
import { endOf, type Module, startOf } from './module.js';
import { claimEndpointName, endpointName } from './naming.js';
import type { Planned } from './plan.js';
import { quoted } from './style.js';

/** The endpoints of a class member. `texts` maps the text of each endpoint to its name. */
export interface Members {
  readonly texts: Map<string, string>;
  readonly after: Set<number>;
}

/** Returns the name of the endpoint for a request of a field. */
export function memberFor(
  module: Module,
  className: string,
  { draft }: Planned,
  fields: Map<Instance, Members>,
  instance: Instance,
): string {
  const members = fields.get(instance) ?? { texts: new Map(), after: new Set() };
  fields.set(instance, members);
  const { indent } = module.style;
  const made = construct(module, className, draft.options, indent + indent, WIDTH - 20);
  for (const [text, name] of members.texts) if (text === `${name}: ${made}`) return name;
  const name = claimEndpointName(
    module,
    endpointName(draft.method, draft.path, prefixWord(draft.options)),
  );
  members.texts.set(`${name}: ${made}`, name);
  for (const { path } of draft.names) members.after.add(statementEnd(module, path.node));
  return name;
}

/** Adds the member `httpEndpoints`. Returns the text of the function `createHttpEndpoints`. */
export function writeField(
  { module, field: own }: Instance,
  className: string,
  members: readonly string[],
): string {
  if (!own) return '';
  const { endpoints, factory, parameter, member, set, declared } = own;
  const { newline, semicolon, indent: step } = module.style;
  const after = (node: Node, text: string): void => {
    const line = `${newline}${indentAt(module, startOf(node))}${text}${semicolon}`;
    module.edits.push(insertion(anchorAfter(module, endOf(node)), line));
  };
  const isHard = endpoints.startsWith('#');
  const modifiers = module.typescript ? `${isHard ? '' : 'private '}readonly ` : '';
  if (set === declared) after(set, `${modifiers}${endpoints} = ${factory}(${member})`);
  else {
    after(set, `this.${endpoints} = ${factory}(${member})`);
    const type = module.typescript ? `: ReturnType<typeof ${factory}>` : '';
    if (declared && (isHard || module.typescript))
      after(declared, `${modifiers}${endpoints}${type}`);
  }
  const axios = quoted('axios', module.style);
  const type = module.typescript ? `: import(${axios}).AxiosInstance` : '';
  return [
    `function ${factory}(${parameter}${type}) {`,
    `${step}const ${className} = ${module.local.axiosEndpoint}(${parameter})${semicolon}`,
    `${step}return {`,
    ...members.map((text) => `${step}${step}${text},`),
    `${step}}${semicolon}`,
    '}',
  ].join(newline);
}
