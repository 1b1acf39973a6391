import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestProgram, type Outcome } from '../../apps/cli/src/test-program.js';
import type { Platform } from './platform.js';

/** Makes functions that run the commands of builders on an installation, in a folder for files. */
export function createBuilderShell(platform: Platform) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-builder-'));
  const program = createTestProgram();
  const env = {
    BASE_URL: platform.baseUrl,
    RUNTIME_URL: platform.runtimeUrl,
    PROMPT_API_URL: platform.promptUrl,
    MILLWRIGHT_HOME: folder,
  };
  const run = (args: readonly string[], typed = '', environment: Record<string, string> = env): Promise<Outcome> =>
    program.run(args, environment, typed);
  return {
    folder,
    run,
    /** Runs a command with `--json` and returns the printed JSON. @throws Error when the command fails */
    async json<Answer>(...args: string[]): Promise<Answer> {
      const { code, out, err } = await run([...args, '--json']);
      if (code !== 0 || err !== '') throw new Error(`millwright ${args.join(' ')}: ${code} ${err}`);
      return JSON.parse(out) as Answer;
    },
    remove() {
      program.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
