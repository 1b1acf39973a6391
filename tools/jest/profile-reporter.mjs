// @ts-check
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../workspace.mjs';

/**
 * @typedef {object} Cost of one file, in seconds
 * @property {string} file
 * @property {number} tests
 * @property {number} wall
 * @property {number} programs CPU time of the tests and of all that they start
 * @property {number} database CPU time of PostgreSQL
 */

const JIFFIES_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the parent and the CPU time of each process. The CPU time includes that of the process's ended children. */
function processes() {
  /** @type {Map<number, { parent: number, jiffies: number }>} */
  const found = new Map();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const jiffies = [11, 12, 13, 14].reduce((sum, index) => sum + (fields[index] ?? 0), 0);
      found.set(Number(pid), { parent: fields[1] ?? 0, jiffies });
    } catch {
      // The process has ended meanwhile.
    }
  }
  return found;
}

/** Returns the CPU time in seconds of a process and all its descendants. @param {number} top */
function cpuOf(top) {
  const all = processes();
  /** @param {number} pid @returns {boolean} */
  const isBelow = (pid) => pid === top || (pid > 1 && isBelow(all.get(pid)?.parent ?? 0));
  const jiffies = [...all].reduce((sum, [pid, { jiffies }]) => sum + (isBelow(pid) ? jiffies : 0), 0);
  return jiffies / JIFFIES_PER_SECOND;
}

/** Returns the PostgreSQL that listens at the tests' address. @param {string} url */
function postmasterAt(url) {
  const port = new URL(url).port;
  for (const [pid, { parent }] of processes()) {
    if (parent < 0) continue;
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (args[0]?.endsWith('postgres') && args[args.indexOf('-p') + 1] === port) return pid;
    } catch {
      // The process has ended meanwhile.
    }
  }
  throw new Error(`no PostgreSQL on port ${port}`);
}

/** A reporter that prints the CPU time of each test file, the largest first. Jest must have one worker, so that files do not overlap. */
class ProfileReporter {
  /** @type {Cost[]} */
  #costs = [];
  /** @type {Map<string, { wall: number, programs: number, database: number }>} */
  #before = new Map();
  #postmaster = 0;

  #now() {
    this.#postmaster ||= postmasterAt(String(process.env['TEST_DATABASE_URL']));
    return { wall: performance.now() / 1_000, programs: cpuOf(process.pid), database: cpuOf(this.#postmaster) };
  }

  /**
   * Stores the figures by path, because Jest starts the next file before it reports the result of the previous one.
   *
   * @param {{ path: string }} test
   */
  onTestFileStart({ path }) {
    this.#before.set(path, this.#now());
  }

  /** @param {{ path: string }} test @param {{ numPassingTests: number, numFailingTests: number }} result */
  onTestFileResult({ path }, { numPassingTests, numFailingTests }) {
    const { wall, programs, database } = this.#now();
    const before = this.#before.get(path) ?? { wall, programs, database };
    this.#costs.push({
      file: relative(root, path),
      tests: numPassingTests + numFailingTests,
      wall: wall - before.wall,
      programs: programs - before.programs,
      database: database - before.database,
    });
  }

  onRunComplete() {
    const costs = this.#costs.sort((a, b) => b.programs + b.database - a.programs - a.database);
    /** @param {(cost: Cost) => number} of */
    const sum = (of) => costs.reduce((total, cost) => total + of(cost), 0);
    const total = {
      file: `${costs.length} files`,
      tests: sum(({ tests }) => tests),
      wall: sum(({ wall }) => wall),
      programs: sum(({ programs }) => programs),
      database: sum(({ database }) => database),
    };
    console.log('  tests   wall s    CPU s  of database  file');
    for (const { file, tests, wall, programs, database } of [...costs, total]) {
      const [w, p, d] = [wall, programs + database, database].map((seconds) => seconds.toFixed(2).padStart(9));
      console.log(`${String(tests).padStart(7)}${w}${p}   ${d}  ${file}`);
    }
  }
}

// The form that Jest imports.
export { ProfileReporter as default };
