// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** `npm test`: everything this repository can check about itself, on servers started for it. */
await bootstrap(import.meta.url, async () => (await import('./test/run-tests.mjs')).runTests());
