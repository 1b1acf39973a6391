// @ts-check
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = import.meta.dirname;
const root = join(here, '../..');
const dist = join(here, 'dist');

/** Writes dist/: every page as HTML and Markdown, the assets, and compressed copies, which admin-auth serves below /docs. */
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);

const generator = join(dist, 'site.mjs');
await build({
  entryPoints: [join(here, 'src/site.ts')],
  outfile: generator,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  logLevel: 'warning',
});
const { sectionsOf, searchFile, siteFiles } = await import(pathToFileURL(generator).href);
rmSync(generator);

const script = await build({
  entryPoints: [join(here, 'src/browser/search.ts')],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  write: false,
  metafile: true,
  logLevel: 'warning',
});
const style = await build({
  entryPoints: [join(here, 'src/style.css')],
  minify: true,
  write: false,
  logLevel: 'warning',
});

const sections = sectionsOf(join(root, 'docs'));
const files = new Map();

/** Adds an asset whose name contains the hash of its content, and returns its address. @param {string} name @param {string} text */
function addAsset(name, text) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = `assets/${name.replace('.', `-${hash}.`)}`;
  files.set(path, text);
  return `/docs/${path}`;
}
const assets = {
  style: addAsset('docs.css', style.outputFiles[0]?.text ?? ''),
  script: addAsset('search.js', script.outputFiles[0]?.text ?? ''),
  search: addAsset('search.json', searchFile(sections)),
};
for (const [path, text] of siteFiles(sections, assets)) files.set(path, text);

for (const [path, text] of files) {
  const target = join(dist, path);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  const bytes = Buffer.from(text);
  writeFileSync(`${target}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }));
  writeFileSync(`${target}.gz`, gzipSync(bytes));
}

/** Modules of npm packages in the script: the bill of materials of admin-auth's image names them. */
const modules = Object.keys(script.metafile.inputs)
  .filter((path) => path.includes('node_modules/'))
  .map((path) => relative(root, join(process.cwd(), path)));
writeFileSync(join(dist, 'modules.json'), JSON.stringify(modules.sort()));
