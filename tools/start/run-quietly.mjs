// @ts-check
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, signal: AbortSignal }} options
 * @returns {Promise<{ code: number | null, stdout: string, stderr: string }>}
 */
export async function runQuietly(command, args, options) {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
