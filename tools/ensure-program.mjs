// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const servicePolicy = '/usr/sbin/policy-rc.d';

/**
 * Makes sure that a program that no npm package contains is on PATH. If the program is missing and the process runs as root, installs Debian's
 * package.
 *
 * @param {{ program: string, from: string, wantedBy: string, ask?: string }} wanted `from` is the package; `ask` is the option for its version
 * @throws {Error} that names the package to install, when the program is missing and cannot be installed
 */
export function ensureProgram({ program, from, wantedBy, ask = '--version' }) {
  const has = () => spawnSync(program, [ask]).status === 0;
  if (has()) return;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) install(from);
  if (!has()) throw new Error(`${wantedBy}: install the package ${from}, so that \`${program}\` is on PATH.`);
}

/**
 * Installs a package. A policy file prevents Debian's package from starting its server.
 *
 * @param {string} name
 */
function install(name) {
  console.error(`Installing ${name} (apt-get) …`);
  const ours = !existsSync(servicePolicy);
  if (ours) writeFileSync(servicePolicy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=300'];
  try {
    spawnSync('apt-get', [...wait, 'update'], { env });
    const { status, stderr } = spawnSync('apt-get', [...wait, 'install', '-y', '--no-install-recommends', name], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) console.error(stderr);
  } finally {
    if (ours) rmSync(servicePolicy);
  }
}
