// @ts-check
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRepository } from './package-repository.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/**
 * Packs the built command line as the package `millwright`. It contains the program and the migrations, and has no dependencies.
 *
 * @param {string} target folder of the package
 * @returns {{ file: string, bytes: number }}
 */
export function packCli(target) {
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(target, 'millwright');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'apps/cli/dist'), folder, { recursive: true });
  for (const name of ['migrations', 'roles'])
    cpSync(join(root, 'prisma', name), join(folder, name), { recursive: true });
  cpSync(join(root, 'docs/cli.md'), join(folder, 'README.md'));
  writeFileSync(join(folder, 'millwright.js'), "#!/usr/bin/env node\nimport './main.js';\n");
  chmodSync(join(folder, 'millwright.js'), 0o755);
  const description = {
    name: 'millwright',
    version,
    description: 'Command line of Millwright: agents, runs, prompts and skills, and the operation of an installation',
    license,
    ...packageRepository(),
    type: 'module',
    bin: { millwright: 'millwright.js' },
    engines: { node: '>=20.19' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(description, null, 2)}\n`);
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: folder,
    env: toolEnvironment(),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, size }] = JSON.parse(packed);
  rmSync(folder, { recursive: true });
  return { file: join(target, filename), bytes: size };
}
