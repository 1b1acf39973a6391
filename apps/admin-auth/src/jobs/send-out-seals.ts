import { sendSeals } from '@millwright/audit';
import type { Database, Step } from '@millwright/db';
import type { PostWebhook } from '@millwright/events';
import type { Logger } from '@millwright/http/process';

export interface SealReceivers {
  /** Writes one event `audit.sealed` for each seal. */
  logger: Pick<Logger, 'info'>;
  /** Undefined without AUDIT_SEAL_WEBHOOK_URL. */
  webhook: PostWebhook | undefined;
}

/**
 * Sends new seals to the log and to the webhook. A copy of the hashes outside the database reveals when all seals are signed again,
 * or the last seals are cut off.
 *
 * @returns the number of seals sent to each.
 * @throws when the webhook does not accept them; the next run sends them again.
 */
export async function sendOutSeals(
  db: Database,
  step: Step,
  { logger, webhook }: SealReceivers,
): Promise<{ logged: number; posted: number }> {
  const event = 'audit.sealed';
  const logged = await sendSeals(db, step, 'log', (seals) => {
    for (const { number: seal, ...notice } of seals) logger.info({ event, seal, ...notice }, event);
  });
  const posted = webhook ? await sendSeals(db, step, 'webhook', (seals) => webhook(event, { seals })) : 0;
  return { logged, posted };
}
