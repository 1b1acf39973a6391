// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './workspace.mjs';

const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
const tests = execFileSync('git', ['ls-files', '*.test.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** Returns the paths in a text, as `folder/name`. @param {string} part */
const pathsOf = (part) => [...part.matchAll(/`([a-z][a-z0-9-]*(?:\/[a-z0-9.-]+)+)`/g)].map(([, path]) => String(path));

/** @param {string} name */
const isTest = (name) =>
  tests.some((file) => [`/${name}.test.ts`, `/${name}.browser.test.ts`].some((end) => `/${file}`.endsWith(end)));

describe('docs/security.md', () => {
  it('names only tests, files and folders that exist', () => {
    const named = pathsOf(text);
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter((path) => !isTest(path) && !existsSync(join(root, path))),
      [],
    );
  });

  const [, further = ''] = text.split('## Further measures');
  const rows = further.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Measure'));
  for (const row of rows) {
    const [, measure = '', named = ''] = row.split('|').map((cell) => cell.trim());
    it(`names the tests of a measure by their paths: ${measure}`, () => {
      const paths = pathsOf(named);
      assert.ok(paths.length > 0);
      assert.deepEqual(
        paths.filter((path) => !tests.includes(`${path}.test.ts`)),
        [],
      );
    });
  }
});
