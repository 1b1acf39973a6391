// @ts-check
import { basename } from 'node:path';

const WASM = 'prisma-wasm';

/**
 * Makes esbuild write Prisma's query compiler to a file beside the bundle, which a process reads once. In Prisma's package the compiler is a Base64
 * text in a module, which would stay in memory.
 *
 * @type {import('esbuild').Plugin}
 */
export const slimPrismaClient = {
  name: 'slim-prisma-client',
  setup(build) {
    build.onLoad({ filter: /@prisma\/client\/runtime\/query_compiler_.*\.wasm-base64\.mjs$/ }, ({ path }) => ({
      contents: `import { readFileSync } from 'node:fs';
        import file from ${JSON.stringify(`${WASM}:${path}`)};
        /** Buffer.from, to which the generated client passes this, calls valueOf. So the bytes are read then, and not kept. */
        export const wasm = { valueOf: () => readFileSync(new URL(file, import.meta.url)) };`,
      resolveDir: import.meta.dirname,
    }));
    build.onResolve({ filter: new RegExp(`^${WASM}:`) }, ({ path: name }) => {
      const module = name.slice(WASM.length + 1);
      return { namespace: WASM, path: basename(module, '-base64.mjs'), pluginData: module };
    });
    build.onLoad({ filter: /.*/, namespace: WASM }, async ({ pluginData: module }) => {
      const { wasm } = await import(module);
      return { contents: Buffer.from(wasm, 'base64'), loader: 'file' };
    });
  },
};
