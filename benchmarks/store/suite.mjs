// @ts-check
/** One suite in a process of its own: `node --expose-gc store/suite.mjs <suite> <ids> [--short]` writes its rows as JSON. */
import { measure as following } from './following.mjs';
import { measure as growth } from './growth.mjs';
import { measure as heap } from './heap.mjs';
import { measure as overlap } from './overlap.mjs';
import { measure as pending } from './pending.mjs';
import { measure as readers } from './readers.mjs';
import { measure as updating } from './updating.mjs';
import { measure as writing } from './writing.mjs';

/** @type {Record<string, (options: import('./rows.mjs').Options) => Promise<import('./rows.mjs').Row[]>>} */
const suites = { updating, following, writing, readers, overlap, pending, growth, heap };

const [name = '', ids] = process.argv.slice(2);
const suite = suites[name];
if (!suite) {
  throw new Error(`There is no suite named ${name}.`);
}
const rows = await suite({
  ids: ids === 'number' ? 'number' : 'string',
  isShort: process.argv.includes('--short'),
});
process.stdout.write(JSON.stringify(rows));
