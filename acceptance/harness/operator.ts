import { execFile } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { noteSecretsOf } from './secrets.js';

const program = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));
/** Where nobody is logged in, whoever runs the tests. */
const nobodysHome = fileURLToPath(new URL('no-such-folder', import.meta.url));
const run = promisify(execFile);

/** Runs an operator command and returns what `--json` prints. */
export async function operator<Result = Record<string, string>>(
  databaseUrl: string,
  ...args: string[]
): Promise<Result> {
  return operatorWith<Result>({ DATABASE_URL: databaseUrl, MILLWRIGHT_HOME: nobodysHome }, ...args);
}

/** The same with these settings instead. */
export function operatorWith<Result>(env: Record<string, string>, ...args: string[]): Promise<Result> {
  return startOperator<Result>(env, ...args).result;
}

/** A command that asks something of its user: what it says on standard error, as it says it, and its result. */
export function startOperator<Result>(env: Record<string, string>, ...args: string[]) {
  const running = run(process.execPath, [program, ...args, '--json'], { env: { ...process.env, ...env } });
  const result = running.then(({ stdout }) => {
    const printed = JSON.parse(stdout) as Result;
    noteSecretsOf(printed);
    return printed;
  });
  return { said: running.child.stderr, result };
}

/** What a program says until it has said what is looked for. */
export async function textWith(said: Readable | null, wanted: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of said?.iterator({ destroyOnReturn: false }) ?? []) {
    text += String(chunk);
    if (wanted.test(text)) break;
  }
  return text;
}
