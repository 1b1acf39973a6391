// @ts-check
import { relative } from 'node:path';
import { root } from '../workspace.mjs';
import { trackStartedProcesses } from './started-processes.mjs';

/** Limit in minutes, longer than the limit at which a worker ends itself: a worker with a blocked event loop cannot end itself. */
const MINUTES = Number(process.env['MINUTES_OF_A_TEST_FILE']) * 1.1;
const CHECK_EVERY_MS = 1_000;

/** Ends a run of Jest in which a file never ends, and names the file. */
class StuckFileReporter {
  /** Time of start by path. @type {Map<string, number>} */
  #running = new Map();
  #started = trackStartedProcesses();

  constructor() {
    setInterval(() => this.#check(), CHECK_EVERY_MS).unref();
  }

  /** @param {{ path: string }} test */
  onTestFileStart({ path }) {
    this.#running.set(path, performance.now());
  }

  /** @param {{ path: string }} test */
  onTestFileResult({ path }) {
    this.#running.delete(path);
  }

  #check() {
    const oldest = performance.now() - MINUTES * 60_000;
    if (![...this.#running.values()].some((began) => began < oldest)) return;
    const files = [...this.#running.keys()].map((path) => relative(root, path));
    console.error(
      `A test file has run for ${MINUTES.toFixed(1)} minutes, so the run ends. Files without a result: ${files.join(', ')}`,
    );
    for (const child of this.#started) child.kill('SIGKILL');
    process.exit(1);
  }
}

// The form that Jest imports.
export { StuckFileReporter as default };
