// @ts-check
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { root, toolEnvironment } from './workspace.mjs';

/**
 * `npm run mutants -- [words]`: puts each fault of `mutants/mutants.mjs` into the sources, one after the other, and runs the tests that
 * should fail because of it. With words, only faults in files whose path contains one of the words are tested. Every file is restored, also
 * after Ctrl+C.
 */
await bootstrap(import.meta.url, async () => {
  const { mutants } = await import('./mutants/mutants.mjs');
  const words = process.argv.slice(2);
  const chosen = mutants.filter(({ file }) => words.length === 0 || words.some((word) => file.includes(word)));
  /** @type {(() => void) | undefined} */
  let putBack;
  process.on('exit', () => putBack?.());
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

  const survivors = [];
  for (const [index, { file, text, fault, folder, tests }] of chosen.entries()) {
    const path = join(root, file);
    const source = readFileSync(path, 'utf8');
    const name = `${file}: ${JSON.stringify(text)} → ${JSON.stringify(fault)}`;
    let outcome = 'not once in the file';
    if (source.split(text).length === 2) {
      putBack = () => writeFileSync(path, source);
      writeFileSync(
        path,
        source.replace(text, () => fault),
      );
      outcome = outcomeOf(folder, tests);
      putBack();
      putBack = undefined;
    }
    // Waits one turn of the event loop, in which Node handles a signal that arrived while the tests ran.
    await new Promise((resolve) => setImmediate(resolve));
    if (!outcome.startsWith('killed')) survivors.push(name);
    process.stdout.write(`${index + 1}/${chosen.length} ${outcome} ${name}\n`);
  }
  process.stdout.write(`${chosen.length - survivors.length} of ${chosen.length} killed\n`);
  process.exitCode = survivors.length === 0 && chosen.length > 0 ? 0 : 1;
});

/**
 * Runs the tests on the fault that is now in the sources. @returns the outcome with the title of the first failed test, by which a reader
 * judges whether the test failed because of the fault
 *
 * @param {string} folder @param {string} tests
 */
function outcomeOf(folder, tests) {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const options = ['--config', 'jest.config.mjs', '--rootDir', folder, '--maxWorkers', '1', tests];
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', jest, ...options], {
    cwd: root,
    env: toolEnvironment(),
    encoding: 'utf8',
    timeout: 10 * 60_000,
    killSignal: 'SIGKILL',
    maxBuffer: 64 * 2 ** 20,
  });
  const [, failed] = /^ *● (.+)$/m.exec(stderr) ?? [];
  if (status === null) return 'killed: its tests did not end';
  // A test file could not be imported, so the fault was not tested.
  if (failed === 'Test suite failed to run') return 'no tests';
  if (failed !== undefined) return `killed by "${failed}"`;
  return status === 0 && /^Tests: .*\d+ passed/m.test(stderr) ? 'survived' : 'no tests';
}
