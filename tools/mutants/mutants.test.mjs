// @ts-check
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../workspace.mjs';
import { mutants } from './mutants.mjs';

/** @param {string} folder */
const testsIn = (folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));

describe('the mutants', () => {
  it('each replace a text that occurs exactly once in the file to change', () => {
    const moved = mutants.filter(({ file, text }) => readFileSync(join(root, file), 'utf8').split(text).length !== 2);
    assert.deepEqual(moved, []);
  });

  it('each name existing test files', () => {
    const tests = Object.fromEntries([...new Set(mutants.map(({ folder }) => folder))].map((f) => [f, testsIn(f)]));
    const untested = mutants.filter(({ folder, tests: pattern }) => {
      const isNamed = new RegExp(pattern);
      return !tests[folder]?.some((file) => isNamed.test(join(folder, file)));
    });
    assert.deepEqual(untested, []);
  });
});
