// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** `npm run migration:new -- <name>`: writes a new migration. */
await bootstrap(import.meta.url, async () =>
  (await import('./prisma/write-migration.mjs')).writeMigration(process.argv[2]),
);
