import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleProgram } from '@millwright/testing/bundle-program';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-main-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs `body` as the main function of a separate process, bundled as an app is. */
async function run(name: string, body: string) {
  const outfile = join(folder, `${name}.mjs`);
  const imports = `import { ConfigError } from '@millwright/config'; import { runMain } from './run-main.js';`;
  const program = `${imports}\nrunMain('demo', async () => { ${body} });`;
  await bundleProgram({ text: program, folder: import.meta.dirname }, outfile);
  const child = spawn(process.execPath, [outfile], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { stdout, stderr, code: child.exitCode };
}

describe('runMain', () => {
  it('prints a configuration fault as a sentence and exits with code 78', async () => {
    const { stdout, stderr, code } = await run(
      'config',
      `throw new ConfigError([{ variable: 'PORT', reason: 'is required' }]);`,
    );
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: 'The configuration is not valid:\n  PORT: is required\n',
      code: 78,
    });
  });

  it.each([
    ['a failed start', `throw new Error('no luck');`],
    ['an unhandled rejection later', `setTimeout(() => Promise.reject(new Error('no luck')), 10);`],
    ['an uncaught exception later', `setTimeout(() => { throw new Error('no luck'); }, 10);`],
  ])('logs %s as fatal and exits with code 1', async (name, body) => {
    const { stdout, code } = await run(name.replaceAll(' ', '-'), body);
    const line = JSON.parse(stdout) as { level: string; service: string; err: { message: string } };
    expect([line.level, line.service, line.err.message, code]).toEqual(['fatal', 'demo', 'no luck', 1]);
  });
});
