/** The process in which files run: they change what is global, and may never end. */
import { compare } from './run.mjs';

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

// Files may set a `process` of their own.
const send = process.send?.bind(process);

process.on('message', ({ before, after }) => {
  compare(before, after).then(
    (result) => send?.(result),
    (error) => send?.({ failed: String(error?.stack ?? error) }),
  );
});
