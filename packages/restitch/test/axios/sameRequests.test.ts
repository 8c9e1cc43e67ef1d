/** The same program with axios and over the bridge: requests, results and errors are equal. */
import axios, { type AxiosInstance } from 'axios';
import { RestEndpoint } from 'restitch';
import { axiosEndpoint } from 'restitch/axios';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PROGRAMS, type Program } from './programs.js';
import { type Recorder, startRecorder } from './server.js';

let server: Recorder;

beforeAll(async () => {
  server = await startRecorder();
});

afterAll(() => server.close());

function openInstance({ defaults, setUp }: Program, log: (line: unknown) => void): AxiosInstance {
  const api = axios.create({ baseURL: `${server.origin}/api`, ...defaults });
  setUp?.(api, log);
  return api;
}

/** What of an error its readers see. */
function seen(error: unknown): unknown {
  if (!(error instanceof Error)) return { thrown: error };
  const { code, response, status, cause } = error as Error & {
    code?: unknown;
    response?: { status: number; data: unknown };
    status?: unknown;
  };
  return {
    isAxiosError: axios.isAxiosError(error),
    isCancel: axios.isCancel(error),
    // Readers of restitch know a cancelled request by its name.
    name: axios.isCancel(error) ? 'AbortError' : error.name,
    message: error.message,
    code,
    response: response && { status: response.status, data: response.data },
    // The oldest versions have it in the response alone.
    status: status ?? response?.status,
    cause: cause && seen(cause),
    constructor: error.constructor.name,
    keys: Object.keys(error).sort(),
  };
}

async function outcomeOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return { value: await call() };
  } catch (error) {
    return { error: seen(error) };
  }
}

it.each(PROGRAMS.map((program) => [program.name, program] as const))('%s', async (_, program) => {
  const said: unknown[] = [];
  const result = await outcomeOf(() => {
    const log = (line: unknown): void => void said.push(line);
    return program.axios(openInstance(program, log), log);
  });
  const sent = server.take();
  const saidBefore = said.splice(0);
  const bridged = await outcomeOf(() => {
    const log = (line: unknown): void => void said.push(line);
    const Api = axiosEndpoint(openInstance(program, log));
    return program.bridge((options) => new Api(options) as RestEndpoint, log);
  });
  expect(bridged).toEqual(result);
  expect(server.take()).toEqual(sent);
  expect(said).toEqual(saidBefore);
});
