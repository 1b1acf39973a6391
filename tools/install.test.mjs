// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';

/** A checkout with the files that install packages, and one local package. */
const checkout = mkdtempSync(join(tmpdir(), 'millwright-install-'));
after(() => rmSync(checkout, { recursive: true, force: true }));
for (const name of ['install', 'wait-for-lock', 'process-state', 'workspace'])
  cpSync(join(import.meta.dirname, `${name}.mjs`), join(checkout, 'tools', `${name}.mjs`));
mkdirSync(join(checkout, 'own'));
writeFileSync(join(checkout, 'own/package.json'), JSON.stringify({ name: 'own', version: '1.0.0' }));

/** @param {string} version */
function writeLock(version) {
  const project = { name: 'checkout', version, dependencies: { own: 'file:own' } };
  const packages = {
    '': project,
    own: { version: '1.0.0' },
    'node_modules/own': { resolved: 'own', link: true },
  };
  writeFileSync(join(checkout, 'package.json'), JSON.stringify({ ...project, private: true, type: 'module' }));
  writeFileSync(
    join(checkout, 'package-lock.json'),
    JSON.stringify({ name: 'checkout', version, lockfileVersion: 3, requires: true, packages }),
  );
}

/** Runs a command that makes sure that the packages are installed. @returns its standard error */
function ensureInstalled() {
  const code = "await (await import('./tools/install.mjs')).ensureInstalled(); console.log('goes on')";
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: checkout,
    encoding: 'utf8',
  });
  assert.deepEqual([status, stdout], [0, 'goes on\n'], stderr);
  return stderr;
}

describe('a command in a checkout', () => {
  it('states why it installs packages, and installs them once', () => {
    writeLock('1.0.0');
    assert.match(
      ensureInstalled(),
      /^The packages of package-lock\.json are not installed\. `npm ci` installs exactly/,
    );
    assert.equal(JSON.parse(readFileSync(join(checkout, 'node_modules/own/package.json'), 'utf8')).name, 'own');
    assert.equal(ensureInstalled(), '');
  });

  it('states that package-lock.json has changed, and then installs again', () => {
    writeLock('1.0.1');
    // The record of the installed packages becomes older than package-lock.json, as after a pull.
    utimesSync(join(checkout, 'node_modules/.package-lock.json'), 0, 0);
    assert.match(ensureInstalled(), /^package-lock\.json has changed since the packages were installed\. `npm ci`/);
    assert.equal(ensureInstalled(), '');
  });
});
