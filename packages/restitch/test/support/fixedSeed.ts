import fc from 'fast-check';

// Random tests draw the same programs in each run, so that a check fails for what a commit changed. `RESTITCH_SEED`
// draws others: a number, or `random` for new ones in each run.
const seed = process.env['RESTITCH_SEED'];
if (seed !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed ?? 1) });
