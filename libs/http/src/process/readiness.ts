import type { Logger } from './logger.js';

const CACHED_MS = 1_000;
const DEADLINE_MS = 2_000;

/** Returns the reason why a process should not get traffic; undefined when it should. */
export type Readiness = () => Promise<string | undefined>;

/**
 * Checks at most once a second, for any number of calls. A check that rejects, or has no result within two seconds,
 * counts as not ready.
 */
export function cachedReadiness(ready: Readiness): Readiness {
  let asked: { at: number; answer: Promise<string | undefined> } | undefined;
  return () => {
    const at = performance.now();
    if (asked === undefined || at - asked.at >= CACHED_MS) asked = { at, answer: boundedAnswer(ready) };
    return asked.answer;
  };
}

/** Logs each change of the reason, so that the log explains why a process is not ready. */
export function loggedReadiness(ready: Readiness, logger: Logger): Readiness {
  let last: string | undefined;
  return async () => {
    const reason = await ready();
    if (reason !== last) {
      if (reason === undefined) logger.info('ready again');
      else logger.warn({ reason }, 'not ready');
      last = reason;
    }
    return reason;
  };
}

function boundedAnswer(ready: Readiness): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(`no answer within ${DEADLINE_MS} ms`), DEADLINE_MS).unref();
    void ready()
      .catch(() => 'the check failed')
      .then((reason) => {
        clearTimeout(timer);
        resolve(reason);
      });
  });
}
