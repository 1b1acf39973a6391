// @ts-check
import { bootstrap } from './bootstrap.mjs';
import { handOver } from './hand-over.mjs';
import { toolEnvironment } from './workspace.mjs';

/** `node tools/run.mjs <program> …`: any installed program, under Node 24 and with the settings Nx and Prisma need. */
await bootstrap(import.meta.url, () => {
  const [command, ...args] = process.argv.slice(2);
  if (command) return handOver(command, args, toolEnvironment());
  console.error('Usage: node tools/run.mjs <program> [arguments]');
  process.exit(2);
});
