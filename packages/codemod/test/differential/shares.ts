/** The converted shares of the generated calls, by the parts of the calls. */
import type { Call, Config, Expression, Member, Program } from './program.js';
import type { Verdict } from './judge.js';

const isText = (part: string | Expression): part is string => typeof part === 'string';

const CALLS: Readonly<Record<Call['form'], string>> = {
  method: '.get(url, …)',
  config: '({ … })',
  urlConfig: '(url, { … })',
  request: '.request({ … })',
};

function paramsKinds(params: Exclude<Config['params'], undefined>): readonly string[] {
  if ('text' in params) return [`params: ${params.kind}`];
  return params.map((member: Member) => `params: object literal, ${member.value.kind}`);
}

function optionsOf({ config }: Call): readonly string[] {
  const { params, headers, timeout, responseType, withCredentials, auth, signal, data, other } =
    config;
  const found = [
    ...(params ? paramsKinds(params) : []),
    ...(headers ?? []).map((member) => `headers: ${member.value.kind}`),
    ...(timeout === undefined ? [] : ['timeout']),
    ...(responseType ? [`responseType: ${responseType}`] : []),
    ...(withCredentials === undefined ? [] : ['withCredentials']),
    ...(auth ? [`auth: ${auth}`] : []),
    ...(signal ? ['signal'] : []),
    ...(data ? ['data of a method without a body'] : []),
    ...(other === undefined ? [] : [`${other.split(':')[0]}`]),
  ];
  return found.length ? [...new Set(found)] : ['none'];
}

function urlForms({ url }: Call): readonly string[] {
  const values = url.segments.some((segment) => segment.some((part) => !isText(part)));
  if (!values && /^(absolute|relative)$/.test(url.start)) return ['text'];
  return [url.concatenated ? 'concatenation' : 'template'];
}

function pathKinds({ url }: Call): readonly string[] {
  const kinds = url.segments.flatMap((segment) =>
    segment.flatMap((part) => {
      if (isText(part)) return [];
      return [segment.length > 1 ? 'part of a segment' : part.kind];
    }),
  );
  return kinds.length ? [...new Set(kinds)] : ['none'];
}

/** The dimensions of the generator, with the values that a call has in each. */
function dimensionsOf(program: Program, call: Call): Readonly<Record<string, readonly string[]>> {
  const { instance } = program;
  const of = call.callee === 'instance';
  const extras = [
    ...(instance.headers.length ? ['headers'] : []),
    ...(instance.timeout === 'none' ? [] : [`timeout: ${instance.timeout}`]),
    ...(instance.withCredentials ? ['withCredentials'] : []),
    ...(instance.annotated && program.language.startsWith('ts') ? ['type annotation'] : []),
    ...(instance.other === undefined
      ? []
      : [instance.other.replace(/: \{ common.*/, '.common').replace(/:.*/, '')]),
    ...(instance.stays === 'no' ? [] : [`needed itself: ${instance.stays}`]),
  ];
  return {
    Asked: [program.withoutAxios ? 'without axios' : 'with the bridge'],
    Call: [`${of ? 'instance' : 'axios'}${CALLS[call.form]}`],
    Method: [call.method.toUpperCase()],
    'Instance from': of ? [instance.place] : [],
    'Base of the instance': of ? [instance.base] : [],
    'Instance with': of ? (extras.length ? extras : ['nothing else']) : [],
    'Start of the URL':
      of && call.url.start === 'relative' ? ['base of the instance'] : [call.url.start],
    URL: urlForms(call),
    'URL stands': [call.url.stands],
    'Value in the path': pathKinds(call),
    'Query in the URL': call.url.query.length
      ? [...new Set(call.url.query.map(({ value }) => (isText(value) ? 'text' : value.kind)))]
      : ['none'],
    Option: optionsOf(call),
    'Config stands': optionsOf(call)[0] === 'none' ? [] : [call.config.bound],
    Body: call.method.startsWith('p') ? [call.body?.kind ?? 'none'] : [],
    Result: call.placement.startsWith('module') ? [] : [call.result],
    Placement: [call.placement],
    'Elsewhere axios has': [program.setup === 'none' ? 'nothing set' : program.setup],
    'Import of axios': of ? [] : [program.importStyle],
    Language: [program.language],
  };
}

interface Share {
  calls: number;
  converted: number;
}

const add = (table: Map<string, Share>, key: string, converted: boolean): void => {
  const share = table.get(key) ?? { calls: 0, converted: 0 };
  table.set(key, { calls: share.calls + 1, converted: share.converted + Number(converted) });
};

const percent = ({ calls, converted }: Share): string =>
  `${Math.round((100 * converted) / calls)} %`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = (column: number): number =>
    Math.max(...[head, ...rows].map((row) => [...(row[column] ?? '')].length));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column ? cell.padStart(width(column)) : cell.padEnd(width(column)))).join(' | ')} |`;
  const rule = `| ${head.map((_, column) => (column ? `${'-'.repeat(width(column) - 1)}:` : '-'.repeat(width(column)))).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** The shares as text for `CONVERSION.md`. */
export function sharesText(verdicts: readonly Verdict[]): string {
  const all: Share = { calls: 0, converted: 0 };
  const dimensions = new Map<string, Map<string, Share>>();
  const reasons = new Map<string, Share>();
  let documented = 0;
  const wrong = verdicts.filter(({ problem }) => problem !== undefined).length;
  for (const verdict of verdicts) {
    documented += verdict.documented;
    for (const [index, call] of verdict.program.calls.entries()) {
      const { converted, reason } = verdict.calls[index] ?? { converted: false, reason: 'unknown' };
      all.calls += 1;
      all.converted += Number(converted);
      if (reason) add(reasons, reason, false);
      for (const [name, values] of Object.entries(dimensionsOf(verdict.program, call))) {
        const rows = dimensions.get(name) ?? new Map<string, Share>();
        dimensions.set(name, rows);
        for (const value of values) add(rows, value, converted);
      }
    }
  }
  const parts = [
    `${verdicts.length} programs with ${all.calls} requests: ${all.converted} converted (${percent(all)}), ` +
      `${all.calls - all.converted} left alone and reported, ${wrong} programs converted wrongly; ${documented} of the converted ` +
      'differ as the migration guide says, and in no other way.',
  ];
  for (const [name, rows] of dimensions) {
    const sorted = [...rows].sort(([, a], [, b]) => b.calls - a.calls);
    parts.push(
      table(
        [name, 'requests', 'converted'],
        sorted.map(([value, share]) => [`\`${value}\``, String(share.calls), percent(share)]),
      ),
    );
  }
  const sorted = [...reasons].sort(([, a], [, b]) => b.calls - a.calls);
  parts.push(
    table(
      ['Left alone because', 'requests'],
      sorted.map(([reason, { calls }]) => [`\`${reason}\``, String(calls)]),
    ),
  );
  return parts.join('\n\n');
}
