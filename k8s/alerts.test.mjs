// @ts-check
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parse, stringify } from 'yaml';
import { ensureProgram } from '../tools/ensure-program.mjs';
import { root } from '../tools/workspace.mjs';

const folder = join(import.meta.dirname, 'components/prometheus-operator');
const { spec } = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8'));
const testFile = join(folder, 'alerts.promtool.yaml');
const { tests } = parse(readFileSync(testFile, 'utf8'));
/** @type {{ alert: string, for?: string, labels: Record<string, string>, annotations: Record<string, string> }[]} */
const alerts = spec.groups
  .flatMap((/** @type {any} */ { rules }) => rules)
  .filter((/** @type {any} */ { alert }) => alert);
/** @type {{ alertname: string, exp_alerts: object[] }[]} */
const expectations = tests.flatMap((/** @type {any} */ test) => test.alert_rule_test);

/** Converts `MillwrightJobMissed` to `job-missed`. */
const fileOf = (/** @type {string} */ alert) =>
  alert
    .replace(/^Millwright/, '')
    .replaceAll(/(?<!^)([A-Z])/g, '-$1')
    .toLowerCase();

ensureProgram({ program: 'promtool', from: 'prometheus', wantedBy: 'The tests of the alerts need promtool' });
const work = mkdtempSync(join(tmpdir(), 'millwright-alerts-'));
copyFileSync(testFile, join(work, 'tests.yaml'));
after(() => rmSync(work, { recursive: true, force: true }));

/** @param {...string} args @returns {string} the output of promtool when it fails */
function promtool(...args) {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: work, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

/** @param {any} rules */
function check(rules) {
  writeFileSync(join(work, 'rules.yaml'), stringify(rules));
  return promtool('check', 'rules', 'rules.yaml');
}

/** @param {any} rules */
const test = (rules) => check(rules) + promtool('test', 'rules', 'tests.yaml');

describe('the alerts', () => {
  it('fire exactly as the promtool cases require', () => {
    assert.equal(test(spec), '');
  });

  it('fail the promtool cases when they never fire, and when they fire without their delay', () => {
    const never = structuredClone(spec);
    const atOnce = structuredClone(spec);
    for (const { rules } of never.groups) for (const rule of rules) if (rule.alert) rule.expr = 'vector(0) > 1';
    for (const { rules } of atOnce.groups) for (const rule of rules) delete rule.for;
    const [silent, hasty] = [test(never), test(atOnce)];
    for (const { alert, for: delay } of alerts) {
      assert.match(silent, new RegExp(`alertname: ${alert}`));
      if (delay) assert.match(hasty, new RegExp(`alertname: ${alert}`));
    }
  });

  it('each have a case in which they fire and a case in which they do not', () => {
    for (const { alert } of alerts) {
      const cases = expectations.filter(({ alertname }) => alertname === alert);
      assert.ok(
        cases.some(({ exp_alerts }) => exp_alerts.length > 0),
        `${alert} never fires`,
      );
      assert.ok(
        cases.some(({ exp_alerts }) => exp_alerts.length === 0),
        `${alert} always fires`,
      );
    }
  });

  it('have a severity, a summary and a runbook link', () => {
    assert.ok(alerts.length >= 10);
    for (const { alert, labels, annotations } of alerts) {
      assert.match(alert, /^Millwright[A-Z]/);
      assert.ok(['page', 'ticket'].includes(String(labels['severity'])), alert);
      assert.ok(annotations['summary'] && annotations['description'], alert);
      assert.equal(annotations['runbook'], `docs/runbooks/${fileOf(alert)}.md`);
    }
  });
});

describe('the dashboard', () => {
  it('contains valid PromQL', () => {
    const { panels } = JSON.parse(readFileSync(join(folder, '../grafana-dashboard/millwright.json'), 'utf8'));
    const queries = panels
      .flatMap((/** @type {any} */ { targets = [] }) => targets)
      .map((/** @type {any} */ { expr }) =>
        expr.replaceAll(/\$__(rate_interval|range)/g, '5m').replaceAll('$service', '.+'),
      );
    assert.ok(queries.length > 30);
    const rules = queries.map((/** @type {string} */ expr, /** @type {number} */ n) => ({
      record: `query_${n}`,
      expr,
    }));
    assert.equal(check({ groups: [{ name: 'dashboard', rules }] }), '');
  });
});

describe('the runbooks', () => {
  const written = globSync('docs/runbooks/*.md', { cwd: root }).map((path) => basename(path, '.md'));

  it('exist for every alert, and for nothing else', () => {
    const wanted = alerts.map(({ alert }) => fileOf(alert));
    const alertBooks = written.filter(isAlertBook);
    assert.deepEqual(alertBooks.sort(), wanted.sort());
  });

  it('explain meaning, diagnosis and action', () => {
    for (const { alert } of alerts) {
      const file = join(root, 'docs/runbooks', `${fileOf(alert)}.md`);
      assert.ok(existsSync(file), `${alert} has no runbook`);
      const text = readFileSync(file, 'utf8');
      assert.ok(text.startsWith(`# ${alert}\n`), file);
      assert.deepEqual(
        [...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title),
        ['What it means', 'What to look at', 'What to do'],
        file,
      );
    }
  });

  /** @param {string} name */
  function isAlertBook(name) {
    return readFileSync(join(root, 'docs/runbooks', `${name}.md`), 'utf8').startsWith('# Millwright');
  }
});
