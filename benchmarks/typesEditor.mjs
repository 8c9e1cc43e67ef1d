// @ts-check
/**
 * The time that an editor waits for the members of a resource in a file with 200 of them. Times depend on the machine; the goal
 * is 100 ms on an ordinary one.
 *
 *   node typesEditor.mjs
 */
import { performance } from 'node:perf_hooks';
import { openInEditor } from '../scripts/languageServer.mjs';
import { callSites, sourceOf } from './typesSource.mjs';

const RESOURCES = 200;
const editor = await openInEditor(sourceOf(callSites, RESOURCES));
try {
  for (const [what, addition, expected] of [
    ['endpoints, the first time', `X${RESOURCES - 1}.`, 'getList'],
    ['endpoints of another resource', 'X50.', 'getList'],
    ['members of an endpoint', 'X51.getList.', 'push'],
    ['parameters of a call', 'X52.get({ ', 'group'],
    ['fields of a body', 'X53.getList.push({ group: 1 }, { ', 'name'],
    ['members of an endpoint of one’s own', 'X54.one.', 'extend'],
  ]) {
    const start = performance.now();
    const names = await editor.complete(addition ?? '');
    const ms = performance.now() - start;
    if (!names.includes(String(expected))) {
      throw new Error(`${what}: no \`${expected}\` in ${names.join(', ')}`);
    }
    console.log(`${String(what).padEnd(40)}${ms.toFixed(0).padStart(6)} ms`);
  }
} finally {
  editor.close();
}
