// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bin, root } from './workspace.mjs';

/**
 * `npm run sdk:test`: packs the SDK, installs it in an empty folder without a registry, and uses it there: as an ES module and as a
 * CommonJS module by the `node` programs in SDK_NODES (paths separated by `:`; default: the running `node`), by TypeScript in strict mode
 * in both forms, and bundled for browsers within its size.
 */
const MOST_BYTES = 25 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'millwright-sdk-'));
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ items: [{ id: 'sk_1' }], total: 1, page: 1, per_page: 20 }));
});
try {
  execFileSync(process.execPath, [join(root, 'tools/build-sdk.mjs')], { stdio: 'inherit' });
  const [{ filename, size }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join(root, 'libs/sdk/dist'),
      encoding: 'utf8',
    }),
  );
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], {
    cwd: folder,
    stdio: 'ignore',
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

  const use = `const client = new Millwright({ apiKey: 'mw_live_test', baseUrl: 'http://127.0.0.1:${port}' });
client.skills.list().all().then((skills) => console.log(skills.map((skill) => skill.id).join()));\n`;
  writeFileSync(join(folder, 'use.mjs'), `import { Millwright } from '@millwright/sdk';\n${use}`);
  writeFileSync(join(folder, 'use.cjs'), `const { Millwright } = require('@millwright/sdk');\n${use}`);
  for (const node of (process.env['SDK_NODES'] ?? process.execPath).split(':')) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
    for (const file of ['use.mjs', 'use.cjs']) {
      const output = await run(node, [file]);
      assert.equal(output.trim(), 'sk_1', `${file} in Node ${version}`);
      console.log(`${file} in Node ${version}: works`);
    }
  }

  const typed = `const client = new Millwright({ apiKey: 'a', baseUrl: 'http://localhost' });
export const name: Promise<string> = client.skills.get('sk_1').then((skill) => skill.name);
// @ts-expect-error a skill has no such field
export const none = client.skills.get('sk_1').then((skill) => skill.none);
export const error = (value: unknown) => value instanceof ApiError ? value.requestId : undefined;\n`;
  for (const file of ['typed.mts', 'typed.cts'])
    writeFileSync(join(folder, file), `import { ApiError, Millwright } from '@millwright/sdk';\n${typed}`);
  const strict = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom,dom.iterable',
  ];
  await run(bin('tsc'), ['--ignoreConfig', ...strict, 'typed.mts', 'typed.cts']);
  console.log('Types in strict mode, both module forms: no error');

  const { outputFiles } = await build({
    stdin: { contents: "export { Millwright } from '@millwright/sdk';", resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;
  console.log(`Tarball ${size} bytes; bundled for browsers ${bytes} bytes by gzip (at most ${MOST_BYTES})`);
  assert.ok(bytes <= MOST_BYTES);
} finally {
  server.close();
  rmSync(folder, { recursive: true });
}

/** @param {string} program @param {string[]} args */
async function run(program, args) {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder }).catch((error) => {
    throw new Error(`${program} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
}
