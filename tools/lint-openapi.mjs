// @ts-check
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * `npm run openapi:lint`: runs Spectral and Redocly over docs/openapi, with the server URLs of an installation. Both are fetched from the
 * npm registry for this run only, because they have several hundred dependencies.
 */

/** Redocly's recommended rules, except that a redirect counts as a success, because single sign-on answers browsers only with redirects. */
const REDOCLY = {
  extends: ['recommended'],
  rules: {
    'operation-2xx-response': 'off',
    'rule/operation-success': {
      subject: { type: 'Responses' },
      assertions: { requireAny: ['200', '201', '202', '204', '206', '303'] },
      message: 'An operation must have a success or a redirect.',
    },
  },
};

const folder = mkdtempSync(join(tmpdir(), 'openapi-lint-'));
const files = ['admin', 'platform', 'runtime', 'prompt'].map((service) => {
  const text = readFileSync(join(root, `docs/openapi/${service}.json`), 'utf8');
  const file = join(folder, `${service}.json`);
  writeFileSync(file, text.replaceAll(/http:\/\/localhost:\d+/g, 'https://millwright.internal'));
  return file;
});
const rules = join(folder, 'rules.yaml');
writeFileSync(rules, 'extends: ["spectral:oas"]\n');
const spectral = ['lint', '--ruleset', rules, '--fail-severity', 'hint', ...files];
const config = join(folder, 'redocly.yaml');
writeFileSync(config, JSON.stringify(REDOCLY));
const redocly = ['lint', '--config', config, ...files];
const statuses = [
  npx('@stoplight/spectral-cli@6.16.3', 'spectral', spectral),
  npx('@redocly/cli@2.77.0', 'redocly', redocly),
];
rmSync(folder, { recursive: true });
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

/**
 * @param {string} from
 * @param {string} program
 * @param {string[]} args
 */
function npx(from, program, args) {
  const run = spawnSync('npx', ['--yes', '--package', from, program, ...args], { cwd: folder, encoding: 'utf8' });
  const output = `${run.stdout}${run.stderr}`;
  process.stdout.write(output);
  // Redocly exits with 0 even when it prints warnings.
  return run.status === 0 && !/You have \d+ warning/.test(output) ? 0 : 1;
}
