// @ts-check
import { bootstrap } from './bootstrap.mjs';

/**
 * `npm test`: runs every check of this repository, on servers that it starts. Checks that have passed and whose files have not changed are not
 * repeated, except by `npm test -- --all` and in CI.
 */
await bootstrap(import.meta.url, async () => {
  const args = process.argv.slice(2);
  const unknown = args.find((arg) => arg !== '--all');
  if (unknown !== undefined) {
    console.error(`npm test takes \`-- --all\` and not ${unknown}. For one project: npx nx test <project>.`);
    process.exit(2);
  }
  const all = args.includes('--all') || Boolean(process.env['CI']);
  await (await import('./test/run-tests.mjs')).runTests({ all });
});
