import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordStrangerDenial, type AuditEntry } from '@millwright/audit';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger } from '@millwright/http/process';
import type { Response } from 'express';

/** Denials that wait in this process. Each is sampled: a row for an account and minute at most. */
const MOST_WAITING = 1_000;

/** Refused attempts of strangers on the way to the audit log. */
export interface DenialQueue {
  /**
   * Call it before the account is looked up.
   *
   * @throws AppError unavailable while too many wait, whether the account is known or not.
   */
  requireRoom: () => void;
  /** Writes the row once the response is over, so that its duration does not show that there is an account. */
  record: (response: Response, entry: AuditEntry, reason: string) => void;
  /** Resolves when nothing waits. */
  settled: () => Promise<void>;
}

export function createDenialQueue({ db, logger }: { db: Database; logger: Logger }, most = MOST_WAITING): DenialQueue {
  const waiting = new Set<Promise<void>>();
  let last = Promise.resolve();

  async function write(entry: AuditEntry, reason: string, at: number): Promise<void> {
    try {
      await recordStrangerDenial(db, entry, reason, at);
    } catch (err) {
      const event = 'audit.denial_lost';
      logger.error({ event, err, action: entry.action, resource: entry.resource, reason }, event);
    }
  }

  return {
    requireRoom() {
      if (waiting.size >= most) throw new AppError('unavailable');
    },
    record(response, entry, reason) {
      const at = Date.now();
      const work = closed(response)
        // One after the other: many attempts at once take one connection of the pool.
        .then(() => (last = last.then(() => write(entry, reason, at))))
        .finally(() => waiting.delete(work));
      waiting.add(work);
    },
    settled: async () => {
      while (waiting.size > 0) await Promise.all(waiting);
    },
  };
}

/** Milliseconds between the response and the row, so that the work of writing it delays no byte on its way. */
const APART_MS = 25;
/** Milliseconds for a client that does not take its answer; then the row is written all the same. */
const LONGEST_ANSWER_MS = 1_000;

async function closed(response: Response): Promise<void> {
  if (!response.closed)
    await once(response, 'close', { signal: AbortSignal.timeout(LONGEST_ANSWER_MS) }).catch(() => undefined);
  await sleep(APART_MS);
}
