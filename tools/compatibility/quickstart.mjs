// @ts-check
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../workspace.mjs';

/** Time limit in seconds within which a new user must have a streamed answer. */
const MOST_SECONDS = 120;

const text = readFileSync(join(root, 'docs/guides/quickstart.md'), 'utf8');

/** Returns the first code block in this language in a section of the quickstart. @param {string} section @param {string} language */
function blockOf(section, language) {
  const [, part = ''] = text.split(`## ${section}\n`);
  const [, block] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(part.split(/^## /m)[0] ?? '') ?? [];
  assert(block, `the quickstart has no ${language} in "${section}"`);
  return block;
}

/** Packs `@millwright/sdk` as a release does. @param {string} folder @returns the tarball */
function packSdk(folder) {
  execFileSync(process.execPath, [join(root, 'tools/build-sdk.mjs')], { stdio: 'ignore' });
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: join(root, 'libs/sdk/dist'),
    encoding: 'utf8',
  });
  return join(folder, JSON.parse(packed)[0].filename);
}

/**
 * Follows the quickstart for Python, with the agent of the quickstart.
 *
 * @param {string} place
 * @param {string} variables commands that set the variables of the quickstart
 */
async function runPython(place, variables) {
  const environment = join(place, 'hello-python');
  writeFileSync(join(place, 'hello.py'), blockOf('Python', 'python'));
  const commands = [
    'set -eo pipefail',
    variables,
    `python3 -m venv ${environment}`,
    `${environment}/bin/pip install --quiet --disable-pip-version-check ${join(root, 'libs/sdk-python')}`,
    `${environment}/bin/python ${join(place, 'hello.py')}`,
  ];
  // The model of the installation answers in this process, so the process must not block.
  const run = promisify(execFile)('bash', ['-c', commands.join('\n')], { timeout: 300_000 });
  const { stdout, stderr } = await run.catch((error) => /** @type {{ stdout: string, stderr: string }} */ (error));
  const version = /version = "(.+)"/.exec(readFileSync(join(root, 'libs/sdk-python/pyproject.toml'), 'utf8'))?.[1];
  const fault = stdout.includes('You wrote: What is a mill?') ? null : `${stdout}${stderr}`.slice(-300);
  return { version: `millwright ${version}`, check: { what: 'Python: a streamed answer of the agent', fault } };
}

/**
 * Follows the quickstart in an empty folder, from `npm install` of the packed SDK to the streamed answer of an agent.
 *
 * @param {string} folder
 * @param {string} state of the installation, which `npm start` calls `.millwright`
 * @returns {Promise<import('./run-clients.mjs').ClientResult>}
 */
export async function timeQuickstart(folder, state) {
  const place = join(folder, 'quickstart');
  mkdirSync(place);
  const tarball = packSdk(place);
  const hello = join(place, 'hello');
  mkdirSync(hello);
  const variables = blockOf('Variables', 'sh').replaceAll('.millwright/', `${state}/`);
  // `=== answer` marks where the output of the program begins; the first output after this line is the first answer.
  const commands = [
    'set -eo pipefail',
    'curl() { command curl --fail-with-body "$@"; }',
    variables,
    `cd ${hello}`,
    `npm install --no-audit --no-fund --loglevel=error ${tarball}`,
    blockOf('An agent', 'sh'),
    'echo; echo "=== answer"',
    'node hello.mjs',
  ];
  writeFileSync(join(hello, 'hello.mjs'), blockOf('TypeScript', 'ts'));
  const startedAt = performance.now();
  const child = spawn('bash', ['-c', commands.join('\n')], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  /** @type {number | undefined} */
  let firstAt;
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk;
    if (!/=== answer\n[^]/.test(output)) continue;
    firstAt ??= performance.now();
  }
  const seconds = ((firstAt ?? Number.NaN) - startedAt) / 1_000;
  console.log(`Quickstart: ${seconds.toFixed(1)} s from npm install to the first words of the answer`);
  const isAnswered = /=== answer\n.*You wrote: What is a mill\?/.test(output);
  const fault = isAnswered && seconds <= MOST_SECONDS ? null : `${seconds} s: ${output.slice(-300)}`;
  const { version } = JSON.parse(readFileSync(join(hello, 'node_modules/@millwright/sdk/package.json'), 'utf8'));
  const python = await runPython(place, variables);
  return {
    title: 'Quickstart',
    versions: [`@millwright/sdk ${version}`, python.version],
    checks: [
      { what: `from \`npm install\` to a streamed answer of an agent within ${MOST_SECONDS / 60} minutes`, fault },
      python.check,
    ],
  };
}
