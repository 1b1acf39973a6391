// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

const UNAWAITED = 'Promise.resolve(1);';
const REASON = '// oxlint-disable-next-line typescript/no-floating-promises -- a reason';

/** Files that one run of oxlint checks together. */
const CODE = {
  unawaited: `export const start = () => {\n  ${UNAWAITED}\n};\n`,
  any: "export const list: string[] = JSON.parse('[]');\n",
  stated: `export const start = () => {\n  ${REASON}\n  ${UNAWAITED}\n};\n`,
};

describe('oxlint', () => {
  /** @type {string} */
  let folder;
  /** Name of the file and of the rule that it breaks. @type {string[]} */
  let broken;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'typed-rules-'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }),
    );
    for (const [name, code] of Object.entries(CODE)) writeFileSync(join(folder, `${name}.ts`), code);
    const options = ['--config', join(root, '.oxlintrc.json'), '--format', 'unix', folder];
    const { stdout } = spawnSync(bin('oxlint'), options, { cwd: root, encoding: 'utf8' });
    const faults = stdout.matchAll(/(\w+)\.ts:.*\/typescript\(([a-z-]+)\)\]/g);
    broken = [...faults].map(([, name, rule]) => `${name} ${rule}`);
  });
  after(() => rmSync(folder, { recursive: true }));

  /** @param {keyof typeof CODE} name */
  const rulesBrokenBy = (name) => broken.filter((fault) => fault.startsWith(`${name} `));

  it('refuses a promise that nothing awaits', () => {
    assert.deepEqual(rulesBrokenBy('unawaited'), ['unawaited no-floating-promises']);
  });

  it('refuses a value of type any', () => {
    assert.deepEqual(rulesBrokenBy('any'), ['any no-unsafe-assignment']);
  });

  it('accepts a fault when a directive at its line states the reason', () => {
    assert.deepEqual(rulesBrokenBy('stated'), []);
  });
});
