// @ts-check
/**
 * The one-time cost before anything is compiled: the first response of 1 000 rows, stored and read. Writes JSON: µs of
 * processor time, and that of `JSON.parse`, which is native code.
 */
import { responseText } from '../workload.mjs';
import { processorTime } from './measure.mjs';
import { createWorld } from './world.mjs';

const text = responseText(1_000, process.argv[2] === 'number' ? 'number' : 'string');
/** @type {unknown} */
let parsed;
const parse = await processorTime(() => {
  parsed = JSON.parse(text);
});
const world = createWorld();
const both = await processorTime(() => world.receive(parsed));
process.stdout.write(JSON.stringify({ parse, both }));
