// @ts-check
import { equal, match } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { build } from 'esbuild';
import { root } from '../workspace.mjs';
import { slimPrismaClient } from './slim-client.mjs';

const require = createRequire(import.meta.url);
/** The module that the generated client imports. */
const [MODULE = ''] =
  /@prisma\/client\/runtime\/query_compiler_\S*\.wasm-base64\.mjs/.exec(
    readFileSync(join(root, 'libs/db/src/generated/internal/class.ts'), 'utf8'),
  ) ?? [];
const folder = mkdtempSync(join(tmpdir(), 'millwright-prisma-'));
after(() => rmSync(folder, { recursive: true }));

describe('the query compiler in a bundle', () => {
  it('is a file beside the bundle, with the bytes that Prisma encodes as base64 text', async () => {
    const original = await import(require.resolve(MODULE));
    await build({
      stdin: { contents: `export { wasm } from '${MODULE}';`, resolveDir: root },
      outfile: join(folder, 'bundle.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'node',
      plugins: [slimPrismaClient],
    });
    const bundled = await import(join(folder, 'bundle.mjs'));
    equal(Buffer.compare(Buffer.from(bundled.wasm), Buffer.from(original.wasm, 'base64')), 0);
    match(readFileSync(join(folder, 'bundle.mjs'), 'utf8'), /\.wasm/);
    equal(readFileSync(join(folder, 'bundle.mjs')).byteLength < 10_000, true);
  });
});
