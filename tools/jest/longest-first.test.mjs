// @ts-check
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../workspace.mjs';
import LongestFirst from './longest-first.mjs';

/** @param {string[]} files @returns {string[]} in the order of a machine without a cache of Jest */
function ordered(files) {
  const context = { config: { cache: false }, hasteFS: { getSize: () => 1 } };
  /** @type {unknown} */
  const tests = files.map((file) => ({ path: join(root, file), context }));
  /** @type {unknown} */
  const options = {};
  const sequencer = new LongestFirst(/** @type {ConstructorParameters<typeof LongestFirst>[0]} */ (options));
  const sorted = sequencer.sort(/** @type {Parameters<typeof sequencer.sort>[0]} */ (tests));
  return /** @type {{ path: string }[]} */ (sorted).map(({ path }) => path.slice(root.length + 1));
}

describe('the order of test files', () => {
  it('begins with new files in acceptance/ and new browser tests, then has the longest files, and ends with the short files', () => {
    const [short, listed, longer] = [
      'libs/json/src/shape.test.ts',
      'apps/prompt-api/src/app.test.ts',
      'acceptance/identity/privileges.test.ts',
    ];
    assert.deepEqual(ordered([short, listed, 'acceptance/new.test.ts', longer]), [
      'acceptance/new.test.ts',
      longer,
      listed,
      short,
    ]);
    assert.deepEqual(ordered([longer, 'apps/new/src/new.browser.test.ts']), [
      'apps/new/src/new.browser.test.ts',
      longer,
    ]);
  });
});
