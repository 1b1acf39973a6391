// @ts-check
import { bootstrap } from '../tools/bootstrap.mjs';

/**
 * `npm run bench`, after `npm run build`: measures the speed that this repository promises, on its own servers; all of
 * it, or the named part: `npm run bench -- gateway`.
 */
await bootstrap(import.meta.url, async () => (await import('./run.mjs')).runBench(process.argv.slice(2)));
