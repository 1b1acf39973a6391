// @ts-check
import { runQuietly } from './run-quietly.mjs';
import { StartFailure } from './start-failure.mjs';

/** The command line's exit code for "refused or not found". */
const REFUSED = 1;

/**
 * Makes functions that run the operators' command line. `ask` accepts a refusal; `run` throws an error for it.
 *
 * @param {{ main: string, cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 */
export function createOperator({ main, ...options }) {
  /** @param {string[]} args @returns {Promise<any>} the printed result; undefined when the command refused */
  async function ask(...args) {
    const { code, stdout, stderr } = await runQuietly(process.execPath, [main, ...args, '--json'], options);
    if (code === 0) return JSON.parse(stdout);
    if (code === REFUSED) return undefined;
    throw failure(args, `${stdout}${stderr}`);
  }

  /** @param {string[]} args @returns {Promise<any>} the printed JSON */
  async function run(...args) {
    const { code, stdout, stderr } = await runQuietly(process.execPath, [main, ...args, '--json'], options);
    if (code === 0) return JSON.parse(stdout);
    throw failure(args, `${stdout}${stderr}`);
  }

  /** @param {string[]} args @param {string} output */
  const failure = (args, output) =>
    new StartFailure(`\`millwright ${args.slice(0, 2).join(' ')}\` failed: ${output.trim()}`);

  return { ask, run };
}
