// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** `npm start`: the whole platform on this machine. */
await bootstrap(import.meta.url, async (startedAt) =>
  (await import('./start/start-platform.mjs')).startPlatform(startedAt),
);
