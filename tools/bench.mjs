// @ts-check
import { bootstrap } from './bootstrap.mjs';

/**
 * `npm run bench`, after `npm run build`: measures what this repository promises about speed, on servers of its own; all of
 * it, or what is named: `npm run bench -- gateway`.
 */
await bootstrap(import.meta.url, async () => (await import('../bench/run.mjs')).runBench(process.argv.slice(2)));
