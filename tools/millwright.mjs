// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** `npm run -s millwright -- <command>`: the operators' command line of this checkout. */
await bootstrap(import.meta.url, async () => (await import('./millwright/run-cli.mjs')).runCli(process.argv.slice(2)));
