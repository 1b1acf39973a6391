// @ts-check
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { bootstrap } from './bootstrap.mjs';

/** `npm run pack:cli -- [folder]`: builds the command line and packs it as the package that `npx millwright` runs. */
await bootstrap(import.meta.url, async () => {
  const { bin, root, toolEnvironment } = await import('./workspace.mjs');
  const { packCli } = await import('./cli-package.mjs');
  execFileSync(bin('nx'), ['run', 'cli:build'], { cwd: root, env: toolEnvironment(), stdio: 'inherit' });
  const { file, bytes } = packCli(resolve(process.argv[2] ?? '.'));
  process.stdout.write(`${file}  ${Math.ceil(bytes / 1024)} KiB\n`);
});
