import { queueNotice, type NoticeKind } from '@millwright/accounts';
import { recordDecision } from '@millwright/audit';
import { encodeId, moveCount, type Database, type Tx } from '@millwright/db';
import { lockSubject, unblockNext, type Answer, type Claim } from './deliveries.store.js';

const FIRST_DELAY_MS = 5_000;
const LONGEST_DELAY_MS = 6 * 3_600_000;
/** Random share that is added to a delay, so that deliveries that failed at the same time are not retried at the same time. */
const JITTER = 0.2;

/** Milliseconds until the next attempt: 5 s, tripled after each further attempt, at most 6 h. */
export function retryDelayMs(attempts: number, retryAfterMs = 0, random = Math.random): number {
  const delay = Math.min(FIRST_DELAY_MS * 3 ** (attempts - 1), LONGEST_DELAY_MS);
  return Math.round(Math.max(delay, Math.min(retryAfterMs, LONGEST_DELAY_MS)) * (1 + JITTER * random()));
}

/** Time for which a webhook must have failed before its admins are warned, and before it is disabled. */
const WARN_AFTER = '3 days';
const DISABLE_AFTER = '5 days';
/** Minimum time between the warning and the disabling. */
const NOTICE_TIME = '1 day';
/** Limit of the messages that one notice sends: more than the number of admins of a project. */
const MOST_NOTICES = 100;

interface FailingWebhook {
  id: string;
  project: string;
  name: string;
  created_by: string;
  failing_since: Date;
  warn: boolean;
  disable: boolean;
}

/**
 * Schedules the next attempt of a failed delivery, or gives the delivery up. Warns the admins when the webhook has
 * failed for days, and later disables the webhook.
 */
export async function markFailed(db: Database, claim: Claim, answer: Answer): Promise<void> {
  if (!(await db.transaction((tx) => postpone(tx, claim, answer)))) return;
  await db.transaction(async (tx) => {
    const webhook = await noteFailure(tx, claim.webhook_id);
    if (!webhook) return;
    if (answer.status === 410) await disable(tx, webhook, 'gone');
    else if (webhook.disable) await disable(tx, webhook, 'failing');
    else if (webhook.warn) await warn(tx, webhook);
  });
}

/** @returns false when another process has taken the delivery over. */
async function postpone(tx: Tx, claim: Claim, { status, error, text, retryAfterMs }: Answer): Promise<boolean> {
  const delay = retryDelayMs(claim.attempts, retryAfterMs);
  await lockSubject(tx, claim);
  const [kept] = await tx.$queryRaw<{ state: string }[]>`
    UPDATE event_deliveries
       SET last_status = ${status}, last_error = ${error}, answer = ${text}, next_at = now() + ${delay} * interval '1 millisecond',
           state = CASE WHEN now() + ${delay} * interval '1 millisecond' > retry_until THEN 'failed' ELSE 'pending' END
     WHERE id = ${claim.id}::uuid AND attempts = ${claim.attempts} AND state = 'pending'
    RETURNING state`;
  if (kept?.state === 'failed') await unblockNext(tx, claim);
  return kept !== undefined;
}

async function noteFailure(tx: Tx, id: string): Promise<FailingWebhook | undefined> {
  const [webhook] = await tx.$queryRaw<FailingWebhook[]>`
    UPDATE webhooks SET failing_since = coalesce(failing_since, now()) WHERE id = ${id}::uuid AND status = 'active'
    RETURNING id, project, name, created_by, failing_since,
      warned_at IS NULL AND failing_since < now() - ${WARN_AFTER}::interval AS warn,
      failing_since < now() - ${DISABLE_AFTER}::interval AND coalesce(warned_at < now() - ${NOTICE_TIME}::interval, false) AS disable`;
  return webhook;
}

async function warn(tx: Tx, webhook: FailingWebhook): Promise<void> {
  await tx.$executeRaw`UPDATE webhooks SET warned_at = now() WHERE id = ${webhook.id}::uuid`;
  await record(tx, webhook, 'webhook.warn', 'webhook_failing', {});
}

/** Disables a webhook. Its waiting deliveries are sent if someone enables it again before their deadline. */
async function disable(tx: Tx, webhook: FailingWebhook, reason: 'failing' | 'gone'): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhooks SET status = 'inactive', disabled_reason = ${reason}, version = version + 1, updated_at = now()
     WHERE id = ${webhook.id}::uuid`;
  await moveCount(tx, { project: webhook.project, kind: 'webhooks', status: 'active' }, 'inactive');
  await record(tx, webhook, 'webhook.disable', 'webhook_disabled', { reason });
}

/** Writes an audit row with the creator of the webhook as the accountable user, and sends messages to the project's admins. */
async function record(
  tx: Tx,
  { id, project, name, created_by, failing_since }: FailingWebhook,
  action: string,
  notice: NoticeKind,
  detail: Readonly<Record<string, string>>,
): Promise<void> {
  const actor = { userId: created_by, kind: 'job', label: 'webhooks' } as const;
  const resource = encodeId('wh', id);
  const since = failing_since.toISOString();
  await recordDecision(tx, { actor, action, resource, project, detail: { name, failing_since: since, ...detail } });
  const admins = await tx.user.findMany({
    where: { OR: [{ role: 'admin' }, { delegated_role: 'project_admin' }], status: 'active', project },
    select: { id: true, email: true },
    take: MOST_NOTICES,
  });
  for (const admin of admins) await queueNotice(tx, admin, notice, {});
}
