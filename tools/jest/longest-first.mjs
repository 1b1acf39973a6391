// @ts-check
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { root } from '../workspace.mjs';

/**
 * Duration in seconds of the test files that took at least five seconds in a run of `npm test` on two idle cores. A file that is not listed takes
 * less, or is new. Each run writes such a list to `.nx/test-seconds.json`.
 *
 * @type {Record<string, number>}
 */
const seconds = JSON.parse(readFileSync(new URL('seconds.json', import.meta.url), 'utf8'));

/**
 * Starts the longest file first, so that no worker runs a long file alone at the end. The times come from Jest's cache on this machine or, without
 * a cache, from the list. A file without a time comes first if its path shows that it starts a platform or a browser.
 */
class LongestFirst extends Sequencer {
  /** Returns the expected duration of a test file in milliseconds. @override @param {import('@jest/test-result').Test} test */
  time(test) {
    const file = relative(root, test.path);
    const isLong = file.startsWith('acceptance/') || file.endsWith('.browser.test.ts');
    return super.time(test) ?? (seconds[file] ?? (isLong ? Infinity : 0)) * 1_000;
  }
}

// The form that Jest imports.
export { LongestFirst as default };
