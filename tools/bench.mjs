// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** `npm run bench`, after `npm run build`: measures what this repository promises about speed, on servers of its own. */
await bootstrap(import.meta.url, async () => (await import('../bench/run.mjs')).runBench());
