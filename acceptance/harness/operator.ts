import { execFile } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestProgram } from '../../apps/cli/src/test-program.js';
import { noteSecretsOf } from './secrets.js';

const program = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));
const run = promisify(execFile);

/**
 * Runs an operator command and returns the parsed output of `--json`. The command runs within this process, because a separate process for each
 * command costs ten times the CPU time.
 *
 * @throws Error with the `code` and the `stderr` of a command that fails
 */
export async function operator<Result = Record<string, string>>(
  databaseUrl: string,
  ...args: string[]
): Promise<Result> {
  const millwright = createTestProgram();
  try {
    const { code, out, err } = await millwright.run([...args, '--json'], { DATABASE_URL: databaseUrl });
    if (code !== 0) throw Object.assign(new Error(`millwright ${args.join(' ')}: ${err}`), { code, stderr: err });
    return noted(JSON.parse(out) as Result);
  } finally {
    millwright.remove();
  }
}

/** Runs the built program in a separate process, with these settings. */
export function operatorWith<Result>(env: Record<string, string>, ...args: string[]): Promise<Result> {
  return startOperator<Result>(env, ...args).result;
}

/** Starts a command that waits for a user. @returns the stream of its standard error, and a promise of its result */
export function startOperator<Result>(env: Record<string, string>, ...args: string[]) {
  const running = run(process.execPath, [program, ...args, '--json'], { env: { ...process.env, ...env } });
  return { output: running.child.stderr, result: running.then(({ stdout }) => noted(JSON.parse(stdout) as Result)) };
}

function noted<Result>(result: Result): Result {
  noteSecretsOf(result);
  return result;
}

/** Reads the output of a program until it matches `wanted`. @returns the output up to there */
export async function textWith(output: Readable | null, wanted: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of output?.iterator({ destroyOnReturn: false }) ?? []) {
    text += String(chunk);
    if (wanted.test(text)) break;
  }
  return text;
}
