import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin, type Rolldown } from 'vite';

const INDEX = 'index.html';
const SIGN_IN = 'sign-in.html';

/** The settings shared by both builds below. */
const sources = {
  target: 'es2022',
  modulePreload: { polyfill: false },
  reportCompressedSize: false,
} as const;

/** Writes a `.br` and a `.gz` copy beside each text file, so that the server need not compress answers. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    writeBundle({ dir = '' }) {
      const folder = join(dir, 'assets/console');
      for (const name of readdirSync(folder).filter((file) => /\.(js|css|svg)$/.test(file))) {
        const bytes = readFileSync(join(folder, name));
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, quality));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** Writes the paths of the bundled modules of npm packages to a file, from which admin-auth's image makes its bill of materials. */
function listModules(): Plugin {
  return {
    name: 'list-modules',
    writeBundle({ dir = '' }, bundle) {
      const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const inPackages = modules.filter((id) => !id.startsWith('\0') && id.includes('/node_modules/'));
      const paths = new Set(
        inPackages.map((id) => relative(join(import.meta.dirname, '../..'), id.replace(/\?.*$/, ''))),
      );
      writeFileSync(join(dir, 'modules.json'), JSON.stringify([...paths].sort()));
    },
  };
}

/** Minimum number of pages that use a module for it to be in the chunk that all pages share. */
const SHARED_BY = 6;

/**
 * Assigns modules to named chunks, based on a first build without minification. By default, Vite makes a chunk for each set of pages that
 * share a module, and a page would load eighty chunks.
 */
async function nameChunks(): Promise<(module: string) => string | null> {
  const { output } = (await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'error',
    plugins: [react()],
    build: { ...sources, write: false, minify: false, rolldownOptions: { input: [INDEX, SIGN_IN] } },
  })) as Rolldown.RolldownOutput;
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
  const loadedWith = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const imported of chunks.get(name)?.imports ?? []) loadedWith(imported, seen);
    return seen;
  };
  const entries = [...chunks.values()].filter(({ isEntry, isDynamicEntry }) => isEntry || isDynamicEntry);
  const loaders = new Map<string, string[]>();
  for (const { fileName, facadeModuleId } of entries) {
    const modules = [...loadedWith(fileName)].flatMap((name) => chunks.get(name)?.moduleIds ?? []);
    for (const id of modules)
      loaders.set(id, [...(loaders.get(id) ?? []), relative(import.meta.dirname, facadeModuleId ?? '')]);
  }
  return (id) => {
    const by = loaders.get(id) ?? [];
    if (by.includes(INDEX)) return by.includes(SIGN_IN) ? 'base' : 'frame';
    if (by.includes(SIGN_IN)) return by.length > 1 ? 'controls' : null;
    return by.length >= SHARED_BY ? 'shared' : null;
  };
}

/** admin-auth serves the built files below /admin, and replaces the placeholder of the CSP nonce in each HTML answer. */
const config = defineConfig(async () => ({
  base: '/admin/',
  plugins: [react(), precompress(), listModules()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    ...sources,
    assetsDir: 'assets/console',
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: [INDEX, SIGN_IN],
      output: { codeSplitting: { groups: [{ name: await nameChunks() }] } },
    },
  },
}));

// eslint-disable-next-line no-restricted-syntax -- Vite reads its configuration from the default export.
export default config;
