// @ts-check
import { bootstrap } from './bootstrap.mjs';
import { exec } from './exec.mjs';
import { toolEnvironment } from './workspace.mjs';

/** `node tools/run.mjs <program> …`: runs an installed program under Node 24 with the settings that Nx and Prisma need. */
await bootstrap(import.meta.url, () => {
  const [command, ...args] = process.argv.slice(2);
  if (command) return exec(command, args, toolEnvironment());
  console.error('Usage: node tools/run.mjs <program> [arguments]');
  process.exit(2);
});
