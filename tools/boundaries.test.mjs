// @ts-check
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { root } from './workspace.mjs';

const run = promisify(execFile);
const nx = join(root, 'node_modules/.bin/nx');
const env = {
  ...process.env,
  NX_DAEMON: 'false',
  NX_TUI: 'false',
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
};

/** @returns {Promise<Record<string, string[]>>} each project with the projects that it imports */
async function projectGraph() {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-graph-'));
  const file = join(folder, 'graph.json');
  await run(nx, ['graph', `--file=${file}`], { cwd: root, env });
  const { graph } = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const entries = Object.entries(graph.dependencies).map(([name, uses]) => [
    name,
    uses
      .map((/** @type {{ target: string }} */ { target }) => target)
      .filter((/** @type {string} */ target) => target in graph.nodes),
  ]);
  return Object.fromEntries(entries);
}

describe('the projects', () => {
  it('import each other without a cycle', async () => {
    const graph = await projectGraph();
    assert.ok(Object.keys(graph).length > 10);
    const finished = new Set();
    /** @param {string} name @param {readonly string[]} path */
    const visit = (name, path) => {
      assert.ok(!path.includes(name), `cycle: ${[...path, name].join(' → ')}`);
      if (finished.has(name)) return;
      for (const used of graph[name] ?? []) visit(used, [...path, name]);
      finished.add(name);
    };
    for (const name of Object.keys(graph)) visit(name, []);
  });
});

describe('an import against the layers', () => {
  const wrong = [
    { from: 'libs/config', imports: '@millwright/db', why: 'a core lib importing a base lib' },
    { from: 'libs/egress', imports: '@millwright/models', why: 'a base lib importing a domain lib' },
    { from: 'apps/gateway', imports: '../../cli/src/program.js', why: 'an app importing an app' },
  ].map((entry) => ({ ...entry, file: join(root, entry.from, 'src', 'wrong-import.ts') }));

  /** @type {{ filePath: string, messages: { ruleId: string }[] }[]} */
  let results;
  before(async () => {
    for (const { file, imports } of wrong)
      writeFileSync(file, `import * as wrong from '${imports}';\n\nexport { wrong };\n`);
    const lint = run(join(root, 'node_modules/.bin/eslint'), ['--format', 'json', ...wrong.map(({ file }) => file)], {
      cwd: root,
      env,
    });
    results = JSON.parse(await lint.then(({ stdout }) => stdout).catch(({ stdout }) => stdout));
  });
  after(() => wrong.forEach(({ file }) => rmSync(file, { force: true })));

  for (const { file, why } of wrong) {
    it(`fails lint: ${why}`, () => {
      const found = results.find(({ filePath }) => filePath === file)?.messages ?? [];
      assert.ok(found.some(({ ruleId }) => ruleId === '@nx/enforce-module-boundaries'));
    });
  }
});
