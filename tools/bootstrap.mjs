// @ts-check
import { fileURLToPath } from 'node:url';
import { exec } from './exec.mjs';
import { ensureInstalled } from './install.mjs';
import { bin, toolEnvironment } from './workspace.mjs';

/** Environment variable with the start time of the command, for the process of Node 24 that continues the command. */
const STARTED_AT = 'MILLWRIGHT_STARTED_AT';

/**
 * Starts a command: installs missing packages and continues under the installed Node 24. A script that calls this function may import only Node's
 * builtins statically, because the script also runs on Node 20 in a fresh clone. `run` imports the rest.
 *
 * @param {string} script its `import.meta.url`
 * @param {(startedAt: number) => unknown} run `startedAt` is the time of the command's start, in milliseconds since 1970
 */
export async function bootstrap(script, run) {
  const startedAt = Number(process.env[STARTED_AT] ?? Date.now() - performance.now());
  delete process.env[STARTED_AT];
  await ensureInstalled();
  if (Number.parseInt(process.versions.node) < 24) {
    await exec(bin('node'), [fileURLToPath(script), ...process.argv.slice(2)], {
      ...toolEnvironment(),
      [STARTED_AT]: String(startedAt),
    });
  }
  await run(startedAt);
}
