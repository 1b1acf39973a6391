// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { exec } from '../exec.mjs';
import { bin, root, stateFolder, toolEnvironment } from '../workspace.mjs';

const main = join(root, 'apps', 'cli', 'dist', 'main.js');

/**
 * Runs the command line on the local installation, with its database and its key, unless the environment names another database or key.
 *
 * @param {string[]} args
 */
export function runCli(args) {
  if (!isCurrent()) build();
  return exec(process.execPath, [main, ...args], { ...localPlatform(), ...process.env });
}

function isCurrent() {
  if (!existsSync(main)) return false;
  const built = statSync(main).mtimeMs;
  const sources = globSync(['apps/cli/src/**/*.ts', 'libs/*/src/**/*.ts', 'prisma/schema/*', 'package-lock.json'], {
    cwd: root,
  });
  return sources.every((file) => statSync(join(root, file)).mtimeMs <= built);
}

function build() {
  const { status, stdout, stderr } = spawnSync(bin('nx'), ['run', 'cli:build'], {
    cwd: root,
    env: toolEnvironment(),
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
  // A build that was restored from Nx's cache can have an older time than its sources, so its time is set to now.
  utimesSync(main, new Date(), new Date());
}

/** @returns {NodeJS.ProcessEnv} */
function localPlatform() {
  const file = join(stateFolder, 'platform.json');
  const home = { MILLWRIGHT_HOME: join(stateFolder, 'operator') };
  if (process.env['DATABASE_URL'] || !existsSync(file)) return home;
  const { database_url, base_url, runtime_url, prompt_api_url, api_key } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    ...home,
    DATABASE_URL: database_url,
    BASE_URL: base_url,
    RUNTIME_URL: runtime_url,
    PROMPT_API_URL: prompt_api_url,
    MILLWRIGHT_API_KEY: api_key,
    KEY_FOLDER: join(stateFolder, 'keys'),
  };
}
