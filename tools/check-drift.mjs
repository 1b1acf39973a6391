// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** Fails when the migrations and the schema differ. */
await bootstrap(import.meta.url, async () => {
  const { schemaDifference } = await import('./prisma/schema-difference.mjs');
  const sql = await schemaDifference();
  if (sql === '') return;
  console.error(`prisma/migrations do not make what prisma/schema says. Missing:\n${sql}`);
  process.exit(1);
});
