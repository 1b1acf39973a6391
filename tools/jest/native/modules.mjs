// @ts-check
import { existsSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../workspace.mjs';

const QUERY_COMPILER = /^@prisma\/client\/runtime\/query_compiler_small_bg\.postgresql\.mjs$/;
const OUR_IMPORT = /^\.{1,2}\/.*\.js$/;

/**
 * Returns the URL of the TypeScript file for an import in our sources. Such an import names the JavaScript file that a build would write. Other
 * specifiers are returned unchanged.
 *
 * @param {string} specifier
 * @param {string} [parent] URL of the importing file
 */
function sourceOf(specifier, parent) {
  if (!OUR_IMPORT.test(specifier) || !parent?.startsWith('file:') || parent.includes('/node_modules/'))
    return specifier;
  const source = new URL(specifier.replace(/\.js$/, '.ts'), parent);
  return existsSync(fileURLToPath(source)) ? source.href : specifier;
}

/** Makes Node's own loader import the sources of this workspace. Node strips their types, and stores the compiled code on disk. */
export function importSources() {
  enableCompileCache(join(root, '.nx', 'compile-cache'));
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(sourceOf(specifier, context.parentURL), {
        ...context,
        conditions: ['@millwright/source', ...context.conditions],
      }),
  });
}

/** Makes Prisma's clients in this process share one query compiler. */
export function shareQueryCompiler() {
  const shared = new URL('shared-query-compiler.mjs', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(QUERY_COMPILER.test(specifier) && context.parentURL !== shared ? shared : specifier, context),
  });
}
