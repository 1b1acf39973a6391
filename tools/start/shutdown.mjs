// @ts-check

/**
 * Two signals within this number of milliseconds count as one. The terminal sends a Ctrl-C to every process, and npm forwards it, so that it arrives
 * twice.
 */
const SAME_SIGNAL_MS = 700;

/** @typedef {ReturnType<typeof createShutdown>} Shutdown */

/**
 * Makes a shutdown that stops the started parts, the last part first. A first SIGINT, SIGTERM or SIGHUP stops everything in order and exits 0; a
 * second signal kills everything without waiting.
 *
 * @param {(line: string) => void} say
 */
export function createShutdown(say) {
  /** @type {{ stop: () => unknown, kill: () => unknown }[]} */
  const parts = [];
  const abort = new AbortController();
  let since = 0;

  async function stopAll() {
    abort.abort();
    for (let part = parts.at(-1); part; part = parts.at(-1)) {
      await part.stop();
      parts.pop();
    }
  }

  function hear() {
    if (since === 0) {
      since = Date.now();
      say('Stopping … (Ctrl-C again to kill)');
      void stopAll().then(() => process.exit(0));
    } else if (Date.now() - since > SAME_SIGNAL_MS) {
      for (const part of parts.toReversed()) part.kill();
      process.exit(130);
    }
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, hear);

  return {
    /** Aborts when the shutdown begins, so that nothing new is started. */
    signal: abort.signal,
    /** @param {{ stop: () => unknown, kill?: () => unknown }} part */
    add({ stop, kill = stop }) {
      parts.push({ stop, kill });
    },
    stopAll,
  };
}
