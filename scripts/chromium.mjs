// @ts-check
/**
 * Finds a Chromium for the browser tests: `CHROMIUM_PATH`, else an installed one, else the binary that
 * the npm package `@sparticuz/chromium` carries, unpacked once below `node_modules/.cache`.
 *
 * `node scripts/chromium.mjs` prints the path, or one line that says why there is none.
 */
import { execFile } from 'node:child_process';
import { constants, createReadStream, createWriteStream, existsSync } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress } from 'node:zlib';

/** @typedef {{ path: string } | { path?: undefined, reason: string }} FoundChromium */

const run = promisify(execFile);
const brotli = promisify(brotliDecompress);
const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Works as root, without a GPU, and without the browser looking for a network of its own. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

const installed = {
  linux: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
    .map((name) => `/usr/bin/${name}`)
    .concat('/snap/bin/chromium', '/opt/google/chrome/chrome'),
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    process.env['PROGRAMFILES'],
    process.env['PROGRAMFILES(X86)'],
    process.env['LOCALAPPDATA'],
  ]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, 'Google/Chrome/Application/chrome.exe')),
};

/** @type {Promise<FoundChromium> | undefined} */
let found;

/**
 * The path for Playwright's `executablePath`, or the reason why there is none. Never rejects.
 * @returns {Promise<FoundChromium>}
 */
export function findChromium() {
  found ??= search().catch((error) => ({ reason: oneLine(error) }));
  return found;
}

/** @returns {Promise<FoundChromium>} */
async function search() {
  const explicit = process.env['CHROMIUM_PATH'];
  // An explicit path is never replaced by another browser.
  if (explicit) {
    const problem = await trouble(explicit);
    return problem ? { reason: `CHROMIUM_PATH=${explicit}: ${problem}` } : { path: explicit };
  }
  const { platform, arch } = process;
  const candidates = platform in installed ? installed[/** @type {'linux'} */ (platform)] : [];
  for (const path of candidates) {
    if (existsSync(path) && !(await trouble(path))) return { path };
  }
  if (platform !== 'linux' || arch !== 'x64') {
    return { reason: `none is installed, and the packaged one is not for ${platform} ${arch}` };
  }
  const path = await unpack();
  const problem = await trouble(path);
  return problem ? { reason: `the packaged one does not start: ${problem}` } : { path };
}

/**
 * Why the program at `path` does not start; undefined when it does.
 * @param {string} path
 */
async function trouble(path) {
  try {
    await access(path, constants.X_OK);
    // On Windows `--version` would open a window.
    if (process.platform !== 'win32') await run(path, ['--version'], { timeout: 20_000 });
    return undefined;
  } catch (error) {
    return oneLine(error);
  }
}

/** Unpacks the packaged binary once for each version of the package; gives the path of its starter. */
async function unpack() {
  const packageFile = await packageJson();
  const { version } = JSON.parse(await readFile(packageFile, 'utf8'));
  const archives = join(dirname(packageFile), 'bin');
  const cache = await writableFolder();
  const target = join(cache, `chromium-${version}`);
  const starter = join(target, 'start');
  if (existsSync(starter)) return starter;

  const work = await mkdtemp(join(cache, 'unpacking-'));
  try {
    await unpackTar(join(archives, 'al2023.tar.br'), work);
    await unpackTar(join(archives, 'fonts.tar.br'), work);
    await unpackTar(join(archives, 'swiftshader.tar.br'), work);
    await unpackFile(join(archives, 'chromium.br'), join(work, 'chromium'));
    await chmod(work, 0o755);
    await chmod(join(work, 'chromium'), 0o755);
    await writeFile(join(work, 'fonts.conf'), fontsConfig);
    await writeFile(join(work, 'start'), starterScript, { mode: 0o755 });
    // One rename makes the folder appear whole, so that two runs at once cannot see half of it.
    await rename(work, target);
  } catch (error) {
    await rm(work, { recursive: true, force: true });
    if (!existsSync(starter)) throw error;
  }
  return starter;
}

/**
 * The NSS libraries and fonts lie next to the binary. A starter sets their place, so that
 * its caller needs no environment variables.
 */
const starterScript = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
export LD_LIBRARY_PATH="$here/lib\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="\${FONTCONFIG_FILE:-$here/fonts.conf}"
exec "$here/chromium" "$@"
`;

/** The archive's own one names folders of another system; without any font all text has width 0. */
const fontsConfig = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

async function packageJson() {
  // The package exports no package.json, so walk up from its entry.
  let folder = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  while (!existsSync(join(folder, 'bin'))) {
    if (dirname(folder) === folder) throw new Error('@sparticuz/chromium has no folder `bin`');
    folder = dirname(folder);
  }
  return join(folder, 'package.json');
}

async function writableFolder() {
  for (const parent of [join(root, 'node_modules'), tmpdir()]) {
    const folder = join(parent, '.cache', 'restitch-chromium');
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.W_OK);
      return folder;
    } catch {
      // A read-only checkout: the next place.
    }
  }
  throw new Error('no folder to unpack Chromium to');
}

/** @param {string} archive @param {string} file */
async function unpackFile(archive, file) {
  await pipeline(createReadStream(archive), createBrotliDecompress(), createWriteStream(file));
}

/**
 * Unpacks the files of a small tar archive. A tar program may close its input before the last byte is
 * written to it, which looks like a broken pipe; and there need not be one.
 * @param {string} archive
 * @param {string} folder
 */
async function unpackTar(archive, folder) {
  const tar = await brotli(await readFile(archive));
  // A header of 512 bytes, then the content filled up to 512: POSIX.1-1988, "ustar".
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    /** @param {number} from @param {number} length */
    const field = (from, length) =>
      tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const name = join(field(345, 155), field(0, 100));
    const size = Number.parseInt(field(124, 12), 8);
    const isFile = field(156, 1) === '0' || field(156, 1) === '';
    const content = tar.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
    if (!isFile) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** @param {unknown} error */
function oneLine(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await findChromium();
  if (result.path === undefined) console.error(`No Chromium: ${result.reason}`);
  else console.log(result.path);
  process.exitCode = result.path === undefined ? 1 : 0;
}
