// @ts-check
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { mutants } from './mutants/mutants.mjs';
import { root } from './workspace.mjs';

describe('the faults of `npm run mutants`', () => {
  it('each replace a text that occurs exactly once in the file to change', () => {
    const missing = mutants.filter(({ file, text }) => {
      const path = join(root, file);
      return !existsSync(path) || readFileSync(path, 'utf8').split(text).length !== 2;
    });
    assert.deepEqual(missing, []);
  });
});
