// @ts-check
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageRepository } from './package-repository.mjs';
import { bin, root } from './workspace.mjs';

/**
 * `npm run sdk:build`: builds the package `@millwright/sdk` in libs/sdk/dist, where `npm pack` can pack it. It contains an ES module, a CommonJS
 * module and the types of both, and has no dependencies.
 */
const source = join(root, 'libs/sdk');
const dist = join(source, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

/** @param {'esm' | 'cjs'} format */
const bundle = async (format) => {
  await build({
    entryPoints: [join(source, 'src/index.ts')],
    outfile: join(dist, format, 'index.js'),
    bundle: true,
    format,
    platform: 'neutral',
    target: ['es2022', 'node20'],
  });
  const flags = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--rootDir', join(source, 'src')];
  const options = [
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--strict',
    '--skipLibCheck',
    '--verbatimModuleSyntax',
    '--types',
    'node',
  ];
  const { status } = spawnSync(
    bin('tsc'),
    ['--ignoreConfig', ...flags, ...options, '--outDir', join(dist, format), join(source, 'src/index.ts')],
    { stdio: 'inherit', cwd: root },
  );
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(
    join(dist, format, 'package.json'),
    `${JSON.stringify({ type: format === 'esm' ? 'module' : 'commonjs' })}\n`,
  );
};
await bundle('esm');
await bundle('cjs');

cpSync(join(source, 'README.md'), join(dist, 'README.md'));
cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));
/** @param {string} format */
const entry = (format) => ({ types: `./${format}/index.d.ts`, default: `./${format}/index.js` });
const manifest = {
  name: '@millwright/sdk',
  version,
  description: 'Client of Millwright: agents, runs, prompts, skills, content and files',
  license: 'Apache-2.0',
  ...packageRepository(),
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  main: './cjs/index.js',
  module: './esm/index.js',
  types: './esm/index.d.ts',
  exports: { '.': { import: entry('esm'), require: entry('cjs') } },
};
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
