// @ts-check
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { bin, root } from './workspace.mjs';
import { spawnSync } from 'node:child_process';

/**
 * `npm run compatibility`: runs published clients from their registries against an installation with a test model. Writes
 * docs/compatibility.md, and fails when a check fails. Needs the npm registry and PyPI. COMPATIBILITY_FOLDER names a folder that keeps the
 * installed clients for the next run.
 */
await bootstrap(import.meta.url, async () => {
  const { startTestModel } = await import('./compatibility/test-model.mjs');
  const { startInstallation } = await import('./compatibility/installation.mjs');
  const { installClients, runClients } = await import('./compatibility/run-clients.mjs');
  const { timeQuickstart } = await import('./compatibility/quickstart.mjs');
  const { documentOf } = await import('./compatibility/document.mjs');

  const folder = mkdtempSync(join(tmpdir(), 'millwright-compatibility-'));
  const model = await startTestModel();
  let isGood = false;
  try {
    console.log('Installing the clients …');
    const clients = installClients(process.env['COMPATIBILITY_FOLDER'] ?? folder);
    console.log('Starting an installation …');
    const { installation, state, stop } = await startInstallation(folder, model.url);
    try {
      const results = [await timeQuickstart(folder, state), ...(await runClients(clients, installation))];
      const file = join(root, 'docs/compatibility.md');
      writeFileSync(file, documentOf(results));
      spawnSync(bin('prettier'), ['--write', '--log-level', 'warn', file], { stdio: 'inherit' });
      isGood = results.every(({ checks }) => checks.length > 0 && checks.every(({ fault }) => fault === null));
    } finally {
      await stop();
    }
  } finally {
    model.close();
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(isGood ? 0 : 1);
});
