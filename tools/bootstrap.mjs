// @ts-check
import { fileURLToPath } from 'node:url';
import { handOver } from './hand-over.mjs';
import { ensureInstalled } from './install.mjs';
import { bin, toolEnvironment } from './workspace.mjs';

/**
 * The first lines of every command: installs what is missing and goes on under the installed Node 24. A script that calls it imports
 * nothing but Node's builtins itself, because it also runs on Node 20 in a fresh clone; the rest belongs into `run`.
 *
 * @param {string} script its `import.meta.url`
 * @param {() => Promise<unknown>} run
 */
export async function bootstrap(script, run) {
  ensureInstalled();
  if (Number.parseInt(process.versions.node) < 24) {
    await handOver(bin('node'), [fileURLToPath(script), ...process.argv.slice(2)], toolEnvironment());
  }
  await run();
}
