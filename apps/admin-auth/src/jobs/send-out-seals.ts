import { sendSeals, type SealNotice } from '@millwright/audit';
import type { Database, Step } from '@millwright/db';
import type { PostWebhook } from '@millwright/events';
import type { Logger } from '@millwright/http/process';

export interface SealReceivers {
  /** Receives one log event `audit.sealed` for each seal. */
  logger: Pick<Logger, 'info'>;
  /** Posts seals to the webhook. Undefined without AUDIT_SEAL_WEBHOOK_URL. */
  webhook: PostWebhook | undefined;
  /** Stores seals in the bucket. Undefined without AUDIT_SEAL_S3_BUCKET. */
  lock: ((seals: readonly SealNotice[]) => Promise<void>) | undefined;
}

const EVENT = 'audit.sealed';

/**
 * Sends new seals to the log, the webhook and the bucket. A copy of the hashes outside the database reveals a log whose seals were all
 * signed again, or whose last seals were removed.
 * @returns the number of seals sent to each of the three.
 * @throws when the webhook or the bucket refuses seals. The other receiver still gets its seals, and the next run sends the refused seals
 *   again.
 */
export async function sendOutSeals(
  db: Database,
  step: Step,
  { logger, webhook, lock }: SealReceivers,
): Promise<{ logged: number; posted: number; locked: number }> {
  const logged = await sendSeals(db, step, 'log', (seals) => {
    for (const { number: seal, ...notice } of seals) logger.info({ event: EVENT, seal, ...notice }, EVENT);
  });
  const [posted, locked] = await allSettledInOrder([
    () => (webhook ? sendSeals(db, step, 'webhook', (seals) => webhook(EVENT, { seals })) : 0),
    () => (lock ? sendSeals(db, step, 's3', lock) : 0),
  ]);
  return { logged, posted: posted ?? 0, locked: locked ?? 0 };
}

/** Runs all functions, one after the other. @throws the only failure, or AggregateError of all failures. */
async function allSettledInOrder(works: readonly (() => Promise<number> | number)[]): Promise<number[]> {
  const results: number[] = [];
  const failures: unknown[] = [];
  for (const work of works) {
    try {
      results.push(await work());
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, failures.map(String).join('; '));
  return results;
}
