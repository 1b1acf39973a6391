// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import tseslint from 'typescript-eslint';
import { bin, root } from '../workspace.mjs';

const PREFIX = '@typescript-eslint/';

/**
 * Rules that this oxlint does not have. `no-unsafe-enum-assignment` has nothing to check, because ESLint refuses enums;
 * `no-unsafe-class-instance-assignment` would report only options of third-party classes.
 */
const MISSING = ['no-unsafe-class-instance-assignment', 'no-unsafe-enum-assignment'];

/** Names of the enabled rules of `strictTypeChecked`, and names of the rules that need types. */
const strict = Object.assign({}, ...tseslint.configs.strictTypeChecked.map(({ rules = {} }) => rules));
const typed = Object.keys(tseslint.configs.disableTypeChecked.rules ?? {});
const wanted = typed.filter((name) => ![undefined, 'off'].includes([strict[name]].flat()[0]));

/** @type {{ rules: Record<string, unknown> }} */
const config = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));

describe('.oxlintrc.json', () => {
  it('has each rule of strictTypeChecked that needs types', () => {
    const expected = wanted.map((name) => name.replace(PREFIX, '')).filter((name) => !MISSING.includes(name));
    const actual = Object.keys(config.rules).map((name) => name.replace('typescript/', ''));
    assert.ok(expected.length > 35);
    assert.deepEqual(actual.sort(), expected.sort());
  });

  it('has no rule that only warns or is off', () => {
    assert.deepEqual(new Set(Object.values(config.rules).map((rule) => [rule].flat()[0])), new Set(['error']));
  });
});

describe('oxlint', () => {
  /** @type {string} */
  let folder;
  before(() => (folder = mkdtempSync(join(root, 'libs', 'json', 'src', 'typed-rules-'))));
  after(() => rmSync(folder, { recursive: true }));

  /** @param {string} code */
  const rulesBroken = (code) => {
    const file = join(folder, 'code.ts');
    writeFileSync(file, code);
    const { stdout } = spawnSync(bin('oxlint'), ['--format', 'unix', file], { cwd: root, encoding: 'utf8' });
    return [...stdout.matchAll(/\/typescript\(([a-z-]+)\)\]/g)].map(([, rule]) => rule);
  };

  it('refuses a promise that nothing awaits', () => {
    assert.deepEqual(rulesBroken('export const start = () => {\n  Promise.resolve(1);\n};\n'), [
      'no-floating-promises',
    ]);
  });

  it('refuses a value of type any', () => {
    assert.deepEqual(rulesBroken("export const list: string[] = JSON.parse('[]');\n"), ['no-unsafe-assignment']);
  });

  it('accepts a fault whose line states the reason', () => {
    const reason = '// oxlint-disable-next-line typescript/no-floating-promises -- a reason';
    assert.deepEqual(rulesBroken(`export const start = () => {\n  ${reason}\n  Promise.resolve(1);\n};\n`), []);
  });
});
