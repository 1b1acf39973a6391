// @ts-check
import { deepEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { build } from 'esbuild';
import { readAtStart } from './delayed-packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'millwright-delayed-'));
after(() => rmSync(folder, { recursive: true }));

/** Bundles these files like an app. @param {Record<string, string>} files */
async function readOf(files) {
  const all = { 'node_modules/nodemailer/index.js': 'export const send = () => "sent";', ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { metafile } = await build({
    absWorkingDir: folder,
    entryPoints: ['main.js'],
    outdir: 'dist',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    metafile: true,
  });
  return readAtStart(metafile, 'main.js');
}

const MODULE = 'node_modules/nodemailer/index.js';

describe('a package that is loaded at its first use', () => {
  it('is not reported when the program imports it only by import()', async () => {
    const main = `export const mail = async () => (await import('nodemailer')).send();`;
    deepEqual(await readOf({ 'main.js': main }), []);
  });

  it('is reported when a module of the program imports it statically', async () => {
    const other = `import { send } from 'nodemailer'; export const mail = () => send();`;
    deepEqual(await readOf({ 'main.js': `import { mail } from './other.js'; mail();`, 'other.js': other }), [MODULE]);
  });

  it('is reported when one module imports it statically, and another module that is loaded by import() shares it', async () => {
    const main = `import { send } from 'nodemailer'; send(); export const later = () => import('./later.js');`;
    const later = `import { send } from 'nodemailer'; send();`;
    deepEqual(await readOf({ 'main.js': main, 'later.js': later }), [MODULE]);
  });
});
