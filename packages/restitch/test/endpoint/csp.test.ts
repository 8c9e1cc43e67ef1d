import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

test('endpoints work where code generation from strings is forbidden', async () => {
  const entry = fileURLToPath(new URL('../../src/index.ts', import.meta.url));
  const program = `
    import { Entity, resource, RestEndpoint } from ${JSON.stringify(entry)};
    try { new Function('return 1')(); throw new Error('code generation is allowed'); }
    catch (error) { if (!(error instanceof EvalError)) throw error; }
    class User extends Entity { id = ''; }
    class Api extends RestEndpoint { urlPrefix = 'https://a.example'; fetchResponse(url) { return Response.json({ url }); } }
    const Users = resource({ path: '/users/:id', schema: User, Endpoint: Api });
    const api = new Api({ path: '/x/:id', urlPrefix: 'https://b.example' });
    console.log(JSON.stringify([await Users.get.extend({ path: '/u/:id' })({ id: 1 }), await api({ id: 2 })]));
  `;
  const { outputFiles } = await build({
    stdin: {
      contents: program,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--disallow-code-generation-from-strings',
    '--input-type=module',
    '--eval',
    outputFiles[0]?.text ?? '',
  ]);
  expect(JSON.parse(stdout)).toEqual([
    { url: 'https://a.example/u/1' },
    { url: 'https://b.example/x/2' },
  ]);
});
