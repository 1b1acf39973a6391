import { execFile } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { noteSecretsOf } from './secrets.js';

const program = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));
/** A home folder without a login. */
const emptyHome = fileURLToPath(new URL('no-such-folder', import.meta.url));
const run = promisify(execFile);

/** Runs an operator command and returns what `--json` prints. */
export async function operator<Result = Record<string, string>>(
  databaseUrl: string,
  ...args: string[]
): Promise<Result> {
  return operatorWith<Result>({ DATABASE_URL: databaseUrl, MILLWRIGHT_HOME: emptyHome }, ...args);
}

/** Runs an operator command with these settings. */
export function operatorWith<Result>(env: Record<string, string>, ...args: string[]): Promise<Result> {
  return startOperator<Result>(env, ...args).result;
}

/** A command that needs input: its standard error while it runs, and its result. */
export function startOperator<Result>(env: Record<string, string>, ...args: string[]) {
  const running = run(process.execPath, [program, ...args, '--json'], { env: { ...process.env, ...env } });
  const result = running.then(({ stdout }) => {
    const printed = JSON.parse(stdout) as Result;
    noteSecretsOf(printed);
    return printed;
  });
  return { output: running.child.stderr, result };
}

/** The output of a program up to the expected text. */
export async function textWith(output: Readable | null, wanted: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of output?.iterator({ destroyOnReturn: false }) ?? []) {
    text += String(chunk);
    if (wanted.test(text)) break;
  }
  return text;
}
