// @ts-check
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { ESLint } from 'eslint';
import { findCircles, readImports } from './import-circles.mjs';
import { bin, root, toolEnvironment } from './workspace.mjs';

/** @type {{ nodes: Record<string, unknown>, dependencies: Record<string, { target: string }[]> }} */
let graph;

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-graph-'));
  const file = join(folder, 'graph.json');
  await promisify(execFile)(bin('nx'), ['graph', `--file=${file}`], { cwd: root, env: toolEnvironment() });
  graph = JSON.parse(readFileSync(file, 'utf8')).graph;
  rmSync(folder, { recursive: true });
});

/** Returns the projects that a project imports. @param {string} name */
const importsOf = (name) =>
  (graph.dependencies[name] ?? []).map(({ target }) => target).filter((target) => target in graph.nodes);

describe('the project graph', () => {
  it('has no cycle', () => {
    assert.ok(Object.keys(graph.dependencies).length > 10);
    const finished = new Set();
    /** @param {string} name @param {readonly string[]} path */
    const visit = (name, path) => {
      assert.ok(!path.includes(name), `cycle: ${[...path, name].join(' → ')}`);
      if (finished.has(name)) return;
      for (const used of importsOf(name)) visit(used, [...path, name]);
      finished.add(name);
    };
    for (const name of Object.keys(graph.dependencies)) visit(name, []);
  });
});

describe('the imports of sources', () => {
  it('form no circle of files or folders', () => {
    const imports = readImports(root);
    assert.ok(imports.size > 1_000);
    assert.deepEqual(findCircles(imports), []);
  });

  for (const { what, imports, circles } of [
    {
      what: 'two files that import each other',
      imports: { 'apps/a/src/x.ts': ['apps/a/src/y.ts'], 'apps/a/src/y.ts': ['apps/a/src/x.ts'] },
      circles: [['apps/a/src/x.ts', 'apps/a/src/y.ts']],
    },
    {
      what: 'two folders that import each other',
      imports: {
        'apps/a/src/one/x.ts': ['apps/a/src/two/y.ts'],
        'apps/a/src/two/z.ts': ['apps/a/src/one/w.ts'],
      },
      circles: [['apps/a/src/one/', 'apps/a/src/two/']],
    },
    {
      what: 'a folder and a file beside it that import each other',
      imports: { 'apps/a/src/one/x.ts': ['apps/a/src/y.ts'], 'apps/a/src/y.ts': ['apps/a/src/one/w.ts'] },
      circles: [['apps/a/src/one/', 'apps/a/src/y.ts']],
    },
    {
      what: 'files that import in one direction, which form no circle',
      imports: { 'apps/a/src/one/x.ts': ['apps/a/src/y.ts'], 'apps/a/src/one/x.test.ts': ['apps/a/src/one/x.ts'] },
      circles: [],
    },
  ])
    it(`are checked for circles: ${what}`, () => {
      assert.deepEqual(findCircles(new Map(Object.entries(imports))), circles);
    });
});

/**
 * Limit of the names that one entry of a lib exports. A lib with more gets a second entry for another subject (`exports` in package.json).
 */
const MOST_NAMES = 60;

describe('a lib', () => {
  for (const lib of readdirSync(join(root, 'libs'))) {
    const entry = join(root, 'libs', lib, 'src', 'index.ts');
    if (!existsSync(entry)) continue;
    it(`exports at most ${MOST_NAMES} names from its src/index.ts: ${lib}`, () => {
      const text = readFileSync(entry, 'utf8');
      const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].map(([, names = '']) => names.split(','));
      const count = lists.flat().filter((name) => name.trim() !== '').length;
      assert.ok(count <= MOST_NAMES, `${count} names`);
    });
  }
});

describe('the lint rule for imports', () => {
  // The linted files exist only in this test.
  const eslint = new ESLint({
    cwd: root,
    ruleFilter: ({ ruleId }) => ruleId === '@nx/enforce-module-boundaries',
  });

  for (const { from, imports, what } of [
    { from: 'libs/config', imports: '@millwright/db', what: 'a core lib that imports a base lib' },
    { from: 'libs/egress', imports: '@millwright/models', what: 'a base lib that imports a domain lib' },
    { from: 'apps/gateway', imports: '../../cli/src/program.js', what: 'an app that imports an app' },
  ]) {
    it(`refuses ${what}`, async () => {
      const code = `import * as wrong from '${imports}';\n\nexport { wrong };\n`;
      const results = await eslint.lintText(code, { filePath: join(root, from, 'src', 'wrong-import.ts') });
      const rules = results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId));
      assert.deepEqual(rules, ['@nx/enforce-module-boundaries']);
    });
  }
});
