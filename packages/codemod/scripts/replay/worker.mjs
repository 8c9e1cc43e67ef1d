/** The process in which files run: they change what is global, and may never end. */
import { compare } from './run.mjs';

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

const { send } = process;
process.on('message', async ({ before, after }) => {
  let result;
  try {
    result = await compare(before, after);
  } catch (error) {
    result = { failed: String(error?.stack ?? error) };
  }
  send.call(process, result);
});
