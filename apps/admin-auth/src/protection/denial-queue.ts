import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { recordStrangerDenial, type AuditEntry } from '@millwright/audit';
import type { Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger } from '@millwright/http/process';
import type { Response } from 'express';

/** Limit of the denials queued in this process. Denials are sampled: at most one row per account and minute. */
const MOST_WAITING = 1_000;

/** Queue of strangers' refused attempts for the audit log. */
export interface DenialQueue {
  /**
   * The function must be called before the account is looked up.
   *
   * @throws AppError unavailable while the queue is full, whether or not the account is known.
   */
  requireRoom: () => void;
  /** Writes the row after the response, so that the response time does not reveal that the account exists. */
  record: (response: Response, entry: AuditEntry, reason: string) => void;
  /** Resolves when the queue is empty. */
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
        // Sequentially, so that many concurrent attempts use only one connection of the pool.
        .then(() => (last = last.then(() => write(entry, reason, at))))
        .finally(() => waiting.delete(work));
      waiting.add(work);
    },
    settled: async () => {
      while (waiting.size > 0) await Promise.all(waiting);
    },
  };
}

/** Milliseconds between the response and the write, so that the write does not delay the response. */
const APART_MS = 25;
/** Milliseconds after which the row is written even if the client has not read the response. */
const LONGEST_ANSWER_MS = 1_000;

async function closed(response: Response): Promise<void> {
  if (!response.closed)
    await once(response, 'close', { signal: AbortSignal.timeout(LONGEST_ANSWER_MS) }).catch(() => undefined);
  await sleep(APART_MS);
}
