import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const main = fileURLToPath(new URL('../server/main.mjs', import.meta.url));

async function start(port: string) {
  const child = spawn(process.execPath, [main], { env: { ...process.env, PORT: port } });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (errors += chunk));
  const [code] = await once(child, 'close');
  return { code, output, errors };
}

it('says in one line which port is taken and how to choose another one', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  try {
    expect(await start(String(port))).toEqual({
      code: 1,
      output: '',
      errors: `Port ${port} is taken. Choose another one: PORT=${port + 1} npm run demo\n`,
    });
  } finally {
    other.close();
  }
});

it('says in one line that a port is no port', async () => {
  expect(await start('http')).toEqual({
    code: 1,
    output: '',
    errors: 'PORT must be a number from 0 to 65535, not "http"\n',
  });
});
