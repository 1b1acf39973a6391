import { execFile } from 'node:child_process';
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
export async function operatorWith<Result>(env: Record<string, string>, ...args: string[]): Promise<Result> {
  const { stdout } = await run(process.execPath, [program, ...args, '--json'], { env: { ...process.env, ...env } });
  const result = JSON.parse(stdout) as Result;
  noteSecretsOf(result);
  return result;
}
