/**
 * Converts copies of applications, and replays the functions whose requests were converted: before and after, with the same made-up
 * arguments and responses. It compares the requests, what each function gives or how it fails, and what it calls elsewhere. Requests
 * are counted without the codemod, so that each unreported one is found.
 *
 * `npm run build && npm run replay -w restitch-codemod -- [--verbose] [--only PATH] [--json FILE] FOLDER…`
 */
import { fork } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../dist/driver.js';
import { bundle } from './replay/bundle.mjs';
import { countRequests } from './replay/count.mjs';
import { resolverFor, sourcesOf } from './replay/files.mjs';

/** Milliseconds for one file in all scenarios. */
const LIMIT = 30_000;

const args = process.argv.slice(2);
const verbose = args.includes('--verbose');
const jsonAt = args.indexOf('--json');
const jsonFile = jsonAt < 0 ? undefined : args.splice(jsonAt, 2)[1];
const onlyAt = args.indexOf('--only');
const only = onlyAt < 0 ? undefined : args.splice(onlyAt, 2)[1];
const folders = args.filter((one) => !one.startsWith('--'));
const cache = fileURLToPath(new URL('../.cache', import.meta.url));
mkdirSync(cache, { recursive: true });

let worker;

/** Runs a file before and after in a process of its own, which is ended when the file stalls. */
function replay(code) {
  worker ??= fork(fileURLToPath(new URL('replay/worker.mjs', import.meta.url)), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve) => {
    const end = (result) => {
      clearTimeout(timer);
      worker?.removeAllListeners();
      if (result.failed) {
        worker?.kill('SIGKILL');
        worker = undefined;
      }
      resolve(result);
    };
    const timer = setTimeout(() => end({ failed: 'it never ends' }), LIMIT);
    worker.once('message', end);
    worker.once('exit', () => end({ failed: 'its process ended' }));
    worker.send(code);
  });
}

/** The sources of an application without its configurations. */
function copy(from, to) {
  cpSync(from, to, {
    recursive: true,
    dereference: false,
    filter: (path) => {
      const name = basename(path);
      if (path !== from && /^(node_modules|\.git|dist|build|coverage)$/.test(name)) return false;
      return (
        statSync(path).isDirectory() ||
        /\.(js|jsx|ts|tsx|mjs|cjs|mts|cts|vue|svelte|json)$/.test(name)
      );
    },
  });
}

// Marks each call whose request was converted, so that a run records the calls that it reached.
function mark(path, calls) {
  let text = readFileSync(path, 'utf8');
  for (const { start, end, site } of [...calls].sort((a, b) => b.start - a.start))
    text = `${text.slice(0, start)}__site(${site}, ${text.slice(start, end)})${text.slice(end)}`;
  writeFileSync(path, text);
}

async function judge(folder) {
  const home = mkdtempSync(join(cache, 'replay-'));
  const [before, after] = ['before', 'after'].map((name) => join(home, name));
  try {
    copy(folder, before);
    copy(folder, after);
    const sources = sourcesOf(before);
    const resolve = resolverFor(before, (path) => sources.has(path));
    const { calls, exporting, held } = countRequests(sources, resolve);
    let output = '';
    const options = {
      paths: [after],
      dry: false,
      json: true,
      inline: false,
      todo: true,
      withoutAxios: false,
    };
    await run(options, after, { out: (text) => (output += text) });
    const report = JSON.parse(output);
    const texts = () => JSON.stringify([...sourcesOf(after)]);
    const once = texts();
    await run(options, after, { out: () => {} });
    const again = once === texts();
    const reported = new Map();
    for (const site of report.sites) {
      const key = `${site.path}:${site.line}`;
      reported.set(key, [...(reported.get(key) ?? []), site]);
    }
    const unreported = [];
    const reasons = {};
    let whole = 0;
    const converted = new Map();
    const places = new Map();
    let site = 0;
    for (const call of calls) {
      const key = `${relative(before, call.path)}:${call.line}`;
      const all = reported.get(key) ?? [];
      const at = Math.max(
        0,
        all.findIndex(({ status }) => status === 'converted'),
      );
      const [found] = all.splice(at, 1);
      if (found?.status === 'converted') {
        site += 1;
        if (found.whole) whole += 1;
        places.set(site, key);
        converted.set(call.path, [...(converted.get(call.path) ?? []), { ...call, site }]);
      } else if (found) reasons[found.code] = (reasons[found.code] ?? 0) + 1;
      else if (call.isRepeat) reasons['sent again'] = (reasons['sent again'] ?? 0) + 1;
      else unreported.push(key);
    }
    for (const [path, own] of converted) mark(path, own);
    const freshSources = sourcesOf(after);
    const freshResolve = resolverFor(after, (path) => freshSources.has(path));
    const moved = (path) => join(after, relative(before, path));
    const clients = new Set(exporting);
    const members = [...held].filter(([, from]) => from);
    const freshMembers = members.map(([name, from]) => [name, { ...from, file: moved(from.file) }]);
    const freshClients = new Set([...exporting].map(moved));
    /** @type {Record<string, any>} */
    const result = {
      name: basename(folder),
      requests: calls.length,
      converted: site,
      whole,
      unreported,
      reasons,
      again,
      failed: report.files
        .filter(({ error }) => error)
        .map(({ path, error }) => `${path}: ${error}`),
      replayed: 0,
      documented: 0,
      different: 0,
      unplayed: {},
      differences: [],
    };
    const wrong = new Set();
    for (const [path, own] of converted) {
      const place = relative(before, path);
      if (only && !place.includes(only)) continue;
      const count = (reason, number) => {
        if (number > 0) result.unplayed[reason] = (result.unplayed[reason] ?? 0) + number;
      };
      let code;
      try {
        code = {
          before: await bundle({ file: path, original: path, clients, held: members, resolve }),
          after: await bundle({
            file: moved(path),
            original: path,
            clients: freshClients,
            held: freshMembers,
            resolve: freshResolve,
          }),
        };
      } catch (error) {
        count('not bundled', own.length);
        if (verbose) console.error(`${place}: ${error.message}`);
        continue;
      }
      const outcome = await replay(code);
      if (outcome.failed) {
        count(outcome.failed.split('\n')[0], own.length);
        if (verbose) console.error(`${place}: ${outcome.failed}`);
        continue;
      }
      const played = new Set(outcome.replayed);
      const hit = new Set(outcome.hit);
      for (const one of outcome.wrong) wrong.add(one);
      result.documented += outcome.documented.length;
      if (outcome.differences.length > 0)
        result.differences.push({ place, differences: outcome.differences });
      const reached = own.filter((call) => played.has(call.site));
      result.replayed += reached.length;
      count(
        'sends nothing',
        own.filter((call) => hit.has(call.site) && !played.has(call.site)).length,
      );
      count('not reached', own.filter((call) => !hit.has(call.site)).length);
      if (verbose)
        for (const call of own)
          if (!played.has(call.site))
            console.error(
              `${places.get(call.site)} ${hit.has(call.site) ? 'sends nothing' : 'not reached'}`,
            );
    }
    result.different = wrong.size;
    return result;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** @type {Record<string, any>[]} */
const results = [];
for (const folder of folders) {
  const result = await judge(folder);
  results.push(result);
  const { name, requests, converted, replayed, different, unreported, unplayed, again, failed } =
    result;
  console.log(
    `${name}: ${requests} requests, ${converted} converted, ${replayed} replayed, ${result.documented} as documented, ${different} different, ${unreported.length} unreported${again ? '' : ', a second run changes something'}; ${Object.entries(
      unplayed,
    )
      .map(([reason, count]) => `${reason} ${count}`)
      .join(', ')} ${failed.length > 0 ? `failed ${failed.length}` : ''}`,
  );
  if (verbose)
    for (const { place, differences } of result.differences)
      for (const { scenario, key, wanted, got } of differences.slice(0, 3)) {
        console.log(`  ${place} ${key} (${scenario})`);
        for (const part of ['requests', 'outcome', 'notes']) {
          const [a, b] = [JSON.stringify(wanted[part]), JSON.stringify(got?.[part])];
          if (a !== b)
            console.log(
              `    ${part} - ${a.slice(0, 700)}\n    ${part} + ${String(b).slice(0, 700)}`,
            );
        }
      }
}
const sum = (name) => results.reduce((total, result) => total + result[name], 0);
console.log(
  `together: ${sum('requests')} requests, ${sum('converted')} converted, ${sum('replayed')} replayed, ${sum('different')} different`,
);
if (jsonFile) writeFileSync(jsonFile, JSON.stringify(results, null, 2));
worker?.kill();
