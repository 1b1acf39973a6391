// @ts-check
import { bootstrap } from './bootstrap.mjs';

/** `npm start`: runs the whole installation on this machine. */
await bootstrap(import.meta.url, async (startedAt) =>
  (await import('./start/start-platform.mjs')).startPlatform(startedAt),
);
