import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Leaves a `.br` and a `.gz` beside each text file, so that serving one costs no compression. */
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

/** Lists the bundled modules of npm packages, by their paths in the workspace: the bill of materials of admin-auth's image names them. */
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

/** admin-auth serves the result below /admin and fills in the nonce with each page. */
const config = defineConfig({
  base: '/admin/',
  plugins: [react(), precompress(), listModules()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    assetsDir: 'assets/console',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: ['index.html', 'sign-in.html'] },
  },
});

// eslint-disable-next-line no-restricted-syntax -- Vite reads its configuration from the default export.
export default config;
