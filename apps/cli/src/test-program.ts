import { execFile } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areAppsBuilt } from '@millwright/testing';
import { bundleProgram } from '@millwright/testing/bundle-program';
import { runProgram } from './program.js';

export interface Outcome {
  code: number;
  out: string;
  err: string;
}

export interface TestProgram {
  /** Runs `millwright …` with `typed` as standard input. The environment variables of this process are replaced by `env`. */
  run: (args: readonly string[], env?: Readonly<Record<string, string>>, typed?: string) => Promise<Outcome>;
  remove: () => void;
}

const MIGRATIONS_DIR = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));

/** Creates a program that runs in this process. This is ten times faster than a process for each command. */
export function createTestProgram(): TestProgram {
  const home = mkdtempSync(join(tmpdir(), 'millwright-home-'));
  return {
    run: async (args, env = {}, typed = '') => {
      const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
      input.end(typed);
      const terminal = {
        env: { MILLWRIGHT_HOME: home, MIGRATIONS_DIR, ...env },
        args,
        input,
        output,
        errors,
        exitCode: 0,
      };
      const printed = Promise.all([text(output), text(errors)]);
      await runProgram(terminal);
      output.end();
      errors.end();
      const [out, err] = await printed;
      return { code: terminal.exitCode, out, err };
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Returns the program as it is shipped: the build of `npm test`, otherwise a bundle of the current sources. */
export async function buildProgram(): Promise<TestProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-cli-'));
  const file = areAppsBuilt() ? fileURLToPath(new URL('../dist/main.js', import.meta.url)) : join(folder, 'main.mjs');
  if (!areAppsBuilt()) await bundleProgram(new URL('main.ts', import.meta.url), file);
  const always = { MILLWRIGHT_HOME: join(folder, 'home'), MIGRATIONS_DIR, NODE_COMPILE_CACHE: join(folder, 'cache') };
  return {
    run: (args, env = {}, typed = '') =>
      new Promise((resolve) => {
        const child = execFile(
          process.execPath,
          [file, ...args],
          { env: { ...always, ...env }, cwd: folder },
          (error, out, err) => {
            const code = error === null ? 0 : error.code;
            resolve({ code: typeof code === 'number' ? code : -1, out, err });
          },
        );
        child.stdin?.on('error', () => undefined).end(typed);
      }),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
