// @ts-check
import { appendFileSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * This script is loaded into each service before the service's code. It writes to a file for how long the event loop was blocked, each time that
 * it was blocked. Time in which the thread waited for a core is not counted, because on a busy machine the attackers cause that wait.
 */
const EVERY_MS = 20;
const LEAST_MS = 10;
const folder = process.env['LOOP_PROBE_DIR'];

/** Returns the milliseconds for which the main thread has waited for a core since its start; 0 where the system does not count this time. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

if (isMainThread && folder !== undefined) {
  // The program is apps/<name>/dist/main.js; the file has the same <name>.
  const file = join(folder, basename(dirname(dirname(process.argv[1] ?? ''))));
  let [turnedAt, waited] = [performance.now(), waitedMs()];
  setInterval(() => {
    const [now, waitedUntilNow] = [performance.now(), waitedMs()];
    const late = now - turnedAt - EVERY_MS;
    const blocked = late - (waitedUntilNow - waited);
    if (blocked > LEAST_MS) appendFileSync(file, `${Date.now()} ${blocked.toFixed(1)}\n`);
    [turnedAt, waited] = [now, waitedUntilNow];
  }, EVERY_MS).unref();
}
