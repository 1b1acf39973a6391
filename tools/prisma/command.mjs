// @ts-check
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bin, root, toolEnvironment } from '../workspace.mjs';

/**
 * Runs Prisma's command line with a replacement for the engine that it would download. Prints nothing unless it fails.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {number} its exit code
 */
export function prisma(args, env = {}) {
  const { status, stdout, stderr } = spawnSync(bin('prisma'), args, {
    cwd: root,
    env: {
      ...toolEnvironment(),
      PRISMA_SCHEMA_ENGINE_BINARY: join(root, 'tools', 'schema-engine.mjs'),
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      ...env,
    },
    encoding: 'utf8',
  });
  // Status 2 means that `migrate diff --exit-code` found a difference.
  if (status !== 0 && status !== 2) process.stderr.write(`${stdout}${stderr}`);
  return status ?? 1;
}
