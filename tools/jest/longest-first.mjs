// @ts-check
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { root } from '../workspace.mjs';

/**
 * Seconds of the files that took at least five in a run of `npm test` on two idle cores, which leaves such a list in
 * `.nx/test-seconds.json`. A file that is not listed takes less, or is new.
 *
 * @type {Record<string, number>}
 */
const seconds = JSON.parse(readFileSync(new URL('seconds.json', import.meta.url), 'utf8'));

/**
 * Starts the longest file first, so that no worker runs one alone at the end. Jest's own cache has the times of files that have run
 * on this machine; a fresh clone has those of the list. A new file whose path means that it starts a platform or a browser comes first.
 */
class LongestFirst extends Sequencer {
  /** Milliseconds. @override @param {import('@jest/test-result').Test} test */
  time(test) {
    const file = relative(root, test.path);
    const isLong = file.startsWith('acceptance/') || file.endsWith('.browser.test.ts');
    return super.time(test) ?? (seconds[file] ?? (isLong ? Infinity : 0)) * 1_000;
  }
}

// The form that Jest imports.
export { LongestFirst as default };
