// @ts-check
import { copyFileSync, cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { readAtStart } from './delayed-packages.mjs';
import { slimPrismaClient } from './prisma/slim-client.mjs';
import { packagesOf, writeThirdParty } from './third-party.mjs';
import { root } from './workspace.mjs';

/** Name of the file in which the build of a website lists the modules of its bundle. */
const MODULES = 'modules.json';
const MAIN = 'src/main.ts';

/**
 * The file that starts an app. Its flag keeps the young generation of the heap at its initial size, because a young generation that has grown
 * never shrinks again. The flag is set before V8 reads the app, because that alone would make the young generation grow.
 */
const START = `import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--semi-space-growth-factor=1');
await import('./app.js');
`;

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The newest migration. The build contains its name, because a service must not become ready on a database with an older schema. */
const newestMigration = readdirSync(join(root, 'prisma/migrations'))
  .filter((name) => /^\d/.test(name))
  .sort()
  .at(-1);

/**
 * This script runs in an app's folder. It writes dist/main.js, which starts dist/app.js, and dist/<name>.worker.js for each
 * src/…/<name>.worker.ts. Code that these files share or load later is in separate files, so that a process reads only what it needs. The
 * arguments are names of built websites: each is copied to dist/<name>.
 */
const workers = globSync('src/**/*.worker.ts').map((path) => ({ in: path, out: basename(path, '.ts') }));

/**
 * Further entry points, so that the code of each of these packages is a separate file. While V8 compiles a file, it needs memory in proportion
 * to the file's length, and the process keeps this memory. No program imports the files of these entry points themselves.
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
  // The file of this package that Node would load imports its other files in a way that bundlers do not understand.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  plugins: [slimPrismaClient],
  define: { __MILLWRIGHT_VERSION__: JSON.stringify(version), __MILLWRIGHT_SCHEMA__: JSON.stringify(newestMigration) },
  // CommonJS packages in the bundle call `require`, which ES modules do not have.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  // There are no source maps, because reading them costs a process 27 MiB. Stack traces are readable without them: names are not shortened.
  // Comments are removed, so that the files are ASCII: a file with any other character takes twice its size in memory.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
writeFileSync('dist/main.js', START);
writeFileSync('dist/package.json', '{"type":"module"}\n');

/** The outputs that the app and its workers import. esbuild also writes outputs that only removed code would import; those are deleted. */
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
