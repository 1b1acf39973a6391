import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../apps/cli/dist/main.js', import.meta.url));
const run = promisify(execFile);

/** Runs an operator command and returns what `--json` prints. */
export async function operator<Result = Record<string, string>>(
  databaseUrl: string,
  ...args: string[]
): Promise<Result> {
  const { stdout } = await run(process.execPath, [program, ...args, '--json'], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  });
  return JSON.parse(stdout) as Result;
}
