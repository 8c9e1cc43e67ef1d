import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { chromiumArgs, findChromium } from '../../../../scripts/chromium.mjs';
import { buildPage } from '../../server/build.mjs';
import { startServer } from '../../server/server.mjs';

/** The browser to test in, or the reason why there is none. */
export const foundChromium = await findChromium();

/** One request, as `server.mjs` lists it. */
export type Seen = Awaited<ReturnType<typeof startServer>>['requests'][number];

/** Responses that the test delays or forces, by `METHOD path`. */
export class Trouble {
  readonly #held = new Map<string, { wait: Promise<void>; open: () => void; arrived: number }>();
  readonly #forced = new Map<string, number[]>();

  /** Delays every request of this kind until it is released. */
  hold(key: string): void {
    let open = (): void => {};
    const wait = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#held.set(key, { wait, open, arrived: 0 });
  }

  /** The number of requests of this kind that wait. */
  arrived(key: string): number {
    return this.#held.get(key)?.arrived ?? 0;
  }

  release(key: string): void {
    this.#held.get(key)?.open();
    this.#held.delete(key);
  }

  /** Fails the next requests of this kind with these statuses. */
  force(key: string, ...statuses: number[]): void {
    this.#forced.set(key, statuses);
  }

  async interfere({ method, path }: Seen): Promise<number | undefined> {
    const key = `${method} ${path}`;
    const held = this.#held.get(key);
    if (held) {
      held.arrived += 1;
      await held.wait;
    }
    return this.#forced.get(key)?.shift();
  }
}

/** Builds the page and starts the browser, once for a test file. */
export async function startBrowser() {
  const folder = await mkdtemp(join(tmpdir(), 'sessions-page-'));
  await buildPage(folder);
  const browser: Browser = await chromium.launch({
    executablePath: foundChromium.path,
    args: chromiumArgs,
  });
  return {
    /** A server of the test's own, and a page of it without a signed-in user. */
    async open() {
      const trouble = new Trouble();
      const server = await startServer({
        port: 0,
        folder,
        interfere: (seen) => trouble.interfere(seen),
      });
      const context = await browser.newContext();
      onTestFinished(async () => {
        await context.close();
        await server.close();
      });
      const page = await context.newPage();
      page.setDefaultTimeout(15_000);
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(server.url);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      return { page, server, trouble, problems };
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Fills in the form. */
export async function enter(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs in through the form, and waits for the notes. */
async function signIn(page: Page, name: string, password: string): Promise<void> {
  await enter(page, name, password);
  await page.getByRole('heading', { name: `Notes of ${name}` }).waitFor();
}

export const signInAda = (page: Page): Promise<void> => signIn(page, 'ada', 'engine');
export const signInBob = (page: Page): Promise<void> => signIn(page, 'bob', 'builder');

export const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
};

/** `METHOD path` of each request. */
export const keysOf = (requests: readonly Seen[]): string[] =>
  requests.map(({ method, path }) => `${method} ${path}`);
