// @ts-check
import { bootstrap } from '../tools/bootstrap.mjs';

/**
 * `npm run bench`, after `npm run build`: measures the speed that this repository promises, on a separate PostgreSQL and Redis.
 * Measures everything, or only the named parts: `npm run bench -- gateway`.
 */
await bootstrap(import.meta.url, async () => (await import('./run.mjs')).runBench(process.argv.slice(2)));
