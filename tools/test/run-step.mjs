// @ts-check
import { spawn } from 'node:child_process';

/**
 * Runs a command in a separate process group, so that Ctrl-C or SIGTERM ends the command and all its children.
 *
 * @param {readonly string[]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<boolean>} whether it succeeded
 */
export function runStep([program = '', ...args], options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  /** @param {NodeJS.Signals} signal */
  const stop = (signal) => {
    child.off('exit', finish);
    child.on('exit', () => process.exit(signal === 'SIGINT' ? 130 : 143));
    process.kill(-Number(child.pid), 'SIGTERM');
    setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), 5000).unref();
  };
  /** @type {(code: number | null) => void} */
  let finish;
  return new Promise((resolve, reject) => {
    finish = (code) => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      resolve(code === 0);
    };
    child.on('error', reject);
    child.on('exit', finish);
    process.once('SIGINT', stop).once('SIGTERM', stop);
  });
}
