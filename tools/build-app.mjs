// @ts-check
import { copyFileSync, cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { readAtStart } from './delayed-packages.mjs';
import { slimPrismaClient } from './prisma/slim-client.mjs';
import { packagesOf, writeThirdParty } from './third-party.mjs';
import { root } from './workspace.mjs';

/** File in which a website's build lists the modules of its bundle. */
const MODULES = 'modules.json';
const MAIN = 'src/main.ts';

/**
 * The file that starts an app. A grown young generation of the heap never shrinks again, so it keeps its initial size. V8 receives this
 * flag before it reads the app, for which the young generation would grow.
 */
const START = `import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--semi-space-growth-factor=1');
await import('./app.js');
`;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The newest migration: a service of this build is not ready on an older schema. */
const newestMigration = readdirSync(join(root, 'prisma/migrations'))
  .filter((name) => /^\d/.test(name))
  .sort()
  .at(-1);

/**
 * Run in an app's folder. Writes dist/main.js, which starts dist/app.js, dist/<name>.worker.js for each src/…/<name>.worker.ts, and beside
 * them the files that they share or load later, because a process reads only the files that it needs. The arguments are names of built
 * websites: each is copied to dist/<name>.
 */
const workers = globSync('src/**/*.worker.ts').map((path) => ({ in: path, out: basename(path, '.ts') }));

/**
 * Further entry points, so that the code of each is a separate file: while V8 compiles a file, it needs memory in proportion to its
 * length, which the process keeps. No program imports these entry points themselves.
 */
const parts = ['@millwright/db', 'express', 'ioredis', 'undici', 'zod'].map((name) => ({
  in: name,
  out: join('parts', basename(name)),
}));

rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [{ in: MAIN, out: 'app' }, ...workers, ...parts],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: ['pg-native'],
  // The package's default file for Node loads its parts in a way that bundlers cannot follow.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [slimPrismaClient],
  define: { __MILLWRIGHT_VERSION__: JSON.stringify(version), __MILLWRIGHT_SCHEMA__: JSON.stringify(newestMigration) },
  // CommonJS packages inside an ES module call require.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  // Source maps are off: reading them costs a process 27 MiB, and the bundle keeps the names of functions.
  // Without comments, the files are ASCII: a file with another character takes twice its size in memory. Names stay, for stack traces.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
writeFileSync('dist/main.js', START);
writeFileSync('dist/package.json', '{"type":"module"}\n');

/** The outputs that the entry points import. esbuild also writes modules that only removed code would import. */
const reached = new Set(
  Object.keys(metafile.outputs).filter((path) => metafile.outputs[path]?.entryPoint?.startsWith('src/')),
);
for (const path of reached)
  for (const { path: imported, external } of metafile.outputs[path]?.imports ?? [])
    if (!external) reached.add(imported);
for (const path of Object.keys(metafile.outputs)) if (!reached.has(path)) rmSync(path);
rmSync('dist/parts', { recursive: true, force: true });

const delayed = readAtStart(metafile, MAIN);
if (delayed.length > 0)
  throw new Error(`Modules that are loaded at their first use are read at the start: ${delayed.join(', ')}`);
for (const path of reached)
  if (path.endsWith('.js') && /[^\0-\x7f]/.test(readFileSync(path, 'utf8')))
    throw new Error(`${path} has a character beyond ASCII: write it as an escape sequence.`);

const bundled = [...reached].flatMap((path) =>
  Object.entries(metafile.outputs[path]?.inputs ?? {}).flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [resolve(file)] : [],
  ),
);
for (const website of process.argv.slice(2)) {
  const built = join('..', website, 'dist');
  cpSync(built, join('dist', website), { recursive: true, filter: (path) => basename(path) !== MODULES });
  for (const path of JSON.parse(readFileSync(join(built, MODULES), 'utf8'))) bundled.push(join(root, path));
}
writeThirdParty('dist', { name: basename(process.cwd()), version }, packagesOf(bundled));
copyFileSync(join(root, 'LICENSE'), 'dist/LICENSE');
