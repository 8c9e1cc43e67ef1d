import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { Conversion, Site, SourceFile } from './convert.js';
import type { ClientReport } from './clients.js';
import type { LeftOut } from './files.js';
import { REASONS } from './transform/reasons.js';

export interface Summary {
  readonly files: { readonly changed: number; readonly unchanged: number; readonly failed: number };
  readonly calls: {
    readonly converted: number;
    /** The number of converted calls that send through axios. */
    readonly bridged: number;
    /** The number of converted calls that return the whole response. */
    readonly whole: number;
    readonly skipped: number;
    /** The number of calls that were left, by reason. */
    readonly reasons: Readonly<Record<string, number>>;
  };
}

/** The page that describes the changes to make by hand. */
const GUIDE = 'docs/migrating-from-axios.md';

export function summaryOf({ files, sites }: Conversion): Summary {
  const failed = files.filter(({ error }) => error !== undefined).length;
  const changed = files.filter((file) => file.changed).length;
  const reasons: Record<string, number> = {};
  for (const { code } of sites) if (code) reasons[code] = (reasons[code] ?? 0) + 1;
  return {
    files: { changed, failed, unchanged: files.length - changed - failed },
    calls: {
      converted: sites.filter(({ status }) => status === 'converted').length,
      bridged: sites.filter(({ bridged }) => bridged).length,
      whole: sites.filter(({ whole }) => whole).length,
      skipped: sites.filter(({ status }) => status === 'skipped').length,
      reasons,
    },
  };
}

/**
 * Returns the report as text. It lists the failed files and the sites that were left. It then
 * counts the sites by reason.
 */
export function reportText(
  conversion: Conversion,
  dry: boolean,
  leftOut: readonly LeftOut[] = [],
): string {
  const { files, calls } = summaryOf(conversion);
  const lines: string[] = [];
  for (const { path, reason } of leftOut) lines.push(`${path}: left out: ${reason}`);
  for (const { path, error } of conversion.files)
    if (error !== undefined) lines.push(`${path}: not converted: ${firstLine(error)}`);
  for (const site of conversion.sites) if (site.status === 'skipped') lines.push(siteLine(site));
  if (lines.length > 0) lines.push('');
  lines.push(
    `${dry ? 'Would change' : 'Changed'} ${plural(files.changed, 'file')}; ` +
      `${files.unchanged} unchanged, ${files.failed} failed.`,
    `${plural(calls.converted, 'call')} converted${over(calls)}, ${calls.skipped} left.`,
  );
  const reasons = Object.entries(calls.reasons).sort(([, a], [, b]) => b - a);
  const width = String(reasons[0]?.[1] ?? '').length;
  for (const [code, count] of reasons) {
    const text = REASONS[code as keyof typeof REASONS];
    lines.push(`  ${String(count).padStart(width)}  ${text} (${GUIDE}#${code})`);
  }
  if (conversion.clients.length > 0) lines.push('Between these clients and life without axios:');
  for (const client of conversion.clients) lines.push(clientLine(client));
  return `${lines.join('\n')}\n`;
}

function over({ bridged, whole }: Summary['calls']): string {
  if (bridged === 0) return '';
  return ` (${bridged} through axios${whole === 0 ? '' : `, ${whole} of them with the whole response`})`;
}

function clientLine({ name, path, line, reasons, repeats }: ClientReport): string {
  const place = path === undefined ? name : `${name} (${path}:${line})`;
  const counts = Object.entries(reasons).sort(([, a], [, b]) => b - a);
  const again =
    repeats === 0
      ? ''
      : `; its interceptors send a request again in ${plural(repeats, 'place')}, as before`;
  return `  ${place}: ${counts.map(([code, count]) => `${code} ${count}`).join(', ')}${again}`;
}

const siteLine = ({ path, line, reason }: Site): string => `${path}:${line} ${reason ?? ''}`;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

export const reportJson = (conversion: Conversion, leftOut: readonly LeftOut[] = []): string =>
  `${JSON.stringify(
    {
      files: conversion.files.map(({ path, changed, error }) => ({ path, changed, error })),
      leftOut,
      sites: conversion.sites,
      clients: conversion.clients,
      summary: summaryOf(conversion),
    },
    null,
    2,
  )}\n`;

/** Returns the changes as a unified diff. */
export function diffText(before: readonly SourceFile[], { files }: Conversion): string {
  const sources = new Map(before.map(({ path, source }) => [path, source]));
  return files
    .filter(({ changed }) => changed)
    .map(({ path, source }) => {
      const old = sources.get(path) ?? '';
      return createTwoFilesPatch(`a/${path}`, `b/${path}`, old, source, '', '', {
        context: 3,
        headerOptions: FILE_HEADERS_ONLY,
      });
    })
    .join('');
}
