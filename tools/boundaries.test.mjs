// @ts-check
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
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
    { from: 'libs/config', project: 'config', imports: '@millwright/db', why: 'a core lib importing a base lib' },
    { from: 'libs/egress', project: 'egress', imports: '@millwright/models', why: 'a base lib importing a domain lib' },
    { from: 'apps/gateway', project: 'gateway', imports: '../../cli/src/program.js', why: 'an app importing an app' },
  ];
  const files = wrong.map(({ from }) => join(root, from, 'src', 'wrong-import.ts'));
  after(() => files.forEach((file) => rmSync(file, { force: true })));

  wrong.forEach(({ project, imports, why }, index) => {
    it(`fails lint: ${why}`, async () => {
      const file = /** @type {string} */ (files[index]);
      writeFileSync(file, `import * as wrong from '${imports}';\n\nexport { wrong };\n`);
      const lint = run(nx, ['run', `${project}:lint`, '--output-style=static'], { cwd: root, env });
      await assert.rejects(lint, (/** @type {any} */ error) => /@nx\/enforce-module-boundaries/.test(error.stdout));
      rmSync(file);
    });
  });
});
