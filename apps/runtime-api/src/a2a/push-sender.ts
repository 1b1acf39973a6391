import { StreamResponse } from '@a2a-js/sdk';
import type { Database } from '@millwright/db';
import { EgressError, type EgressRequest } from '@millwright/egress';
import type { Logger, Work } from '@millwright/http/process';
import { SecretUnreadable, type SecretBox } from '@millwright/secrets';
import { openPushSecrets, type PushSecrets } from './push-configs.store.js';
import { statusUpdate } from './task-form.js';
import type { TaskState } from './tasks.store.js';

/** Interval at which a process polls for due notifications, in milliseconds. */
const LOOK_MS = 1_000;
/** Limit of notifications sent per poll. */
const MOST_AT_ONCE = 20;
/**
 * Time limit of an attempt, including the receiver's answer. It is shorter than the time for which a process claims a notification, so no second
 * process sends the notification meanwhile.
 */
const TIMEOUT_MS = 10_000;
const CLAIM_SECONDS = 30;
/** Pause in seconds after the first failed attempt. It doubles with each further failure. */
const FIRST_PAUSE_S = 2;
const MOST_PAUSE_S = 3_600;

interface Claim {
  id: string;
  run_id: string;
  config_id: string;
  context_id: string;
  project: string;
  state: TaskState;
  at: Date;
  attempts: number;
  expired: boolean;
  url: string;
  secrets: string | null;
}

/** Claims due notifications. Of each push configuration, only the oldest notification is claimed, so that states arrive in order. */
const CLAIM = `
  WITH due AS (
    SELECT n.id FROM push_notifications n
     WHERE n.next_at <= now() AND NOT EXISTS (
       SELECT FROM push_notifications e WHERE e.run_id = n.run_id AND e.config_id = n.config_id AND e.id < n.id)
     ORDER BY n.next_at LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED)
  UPDATE push_notifications n SET attempts = n.attempts + 1, next_at = now() + interval '${CLAIM_SECONDS} seconds'
    FROM due, push_configs c, runs r
   WHERE n.id = due.id AND c.run_id = n.run_id AND c.id = n.config_id AND r.id = n.run_id
  RETURNING n.id, n.run_id, n.config_id, r.context_id, r.project, n.state, n.at, n.attempts, n.retry_until < now() AS expired,
            c.url, c.secrets`;

export interface PushSenderOptions {
  db: Database;
  request: EgressRequest;
  secretBox: SecretBox;
  logger: Logger;
  work: Work;
}

/** Builds the headers with the credentials that a receiver expects (A2A 1.0 §4.3.3). The token is for clients of 0.3. */
const headersOf = ({ token, scheme, credentials }: PushSecrets): Record<string, string> => ({
  'content-type': 'application/a2a+json',
  ...(token !== '' && { 'x-a2a-notification-token': token }),
  ...(scheme !== '' && { authorization: `${scheme} ${credentials}`.trim() }),
});

/** Builds the body of a notification: the state of a task, in the form of a stream's event (A2A 1.0 §4.3.3). */
function bodyOf({ run_id: id, context_id: contextId, state, at: statusAt }: Claim): string {
  const task = { id, contextId, state, statusAt, reason: null, message: {}, answer: null, chunks: [], pending: [] };
  return JSON.stringify(StreamResponse.toJSON(statusUpdate(task)));
}

/**
 * Sends the states of tasks to the receivers that their clients registered. Each state is sent at least once, in order for each receiver, and is
 * repeated for up to 72 hours. Notifications are rows of the database. Therefore they outlive the process, and any process can send them.
 */
export function createPushSender({ db, request, secretBox, logger, work }: PushSenderOptions) {
  let looking: NodeJS.Timeout | undefined;
  let isLooking = false;

  async function post(claim: Claim): Promise<'delivered' | 'refused' | 'failed'> {
    try {
      const headers = headersOf(openPushSecrets(secretBox, claim.run_id, claim.config_id, claim.secrets));
      const profile = { timeoutMs: TIMEOUT_MS, maxBytes: Number.MAX_SAFE_INTEGER };
      const share = `push ${claim.project}`;
      const options = { method: 'POST', headers, body: bodyOf(claim), kind: 'webhook', share, profile } as const;
      const { ok, status, body } = await request(claim.url, options);
      await body?.cancel();
      if (ok) return 'delivered';
      return status === 410 ? 'refused' : 'failed';
    } catch (error) {
      if (error instanceof SecretUnreadable) return 'refused';
      if (error instanceof EgressError) return 'failed';
      throw error;
    }
  }

  async function send(claim: Claim): Promise<void> {
    const outcome = claim.expired ? 'refused' : await post(claim);
    const own = [claim.id, claim.attempts];
    if (outcome === 'delivered')
      await db.prepared('end-push', 'DELETE FROM push_notifications WHERE id = $1 AND attempts = $2', own);
    // Deleting the receiver also deletes its remaining notifications.
    else if (outcome === 'refused')
      await db.prepared('drop-push-config', 'DELETE FROM push_configs WHERE run_id = $1 AND id = $2', [
        claim.run_id,
        claim.config_id,
      ]);
    else
      await db.prepared(
        'retry-push',
        `UPDATE push_notifications SET next_at = now() + make_interval(secs => $3) WHERE id = $1 AND attempts = $2`,
        [...own, Math.min(FIRST_PAUSE_S * 2 ** (claim.attempts - 1), MOST_PAUSE_S)],
      );
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      for (let count = MOST_AT_ONCE; looking && count === MOST_AT_ONCE;) {
        const claims = await db.prepared<Claim>('claim-push', CLAIM, []);
        count = claims.length;
        await Promise.all(claims.map((claim) => work.track(send(claim))));
      }
    } catch (err) {
      logger.warn({ err }, 'notifications of tasks could not be sent');
    }
    isLooking = false;
  }

  return {
    start(): void {
      looking = setInterval(() => void look(), LOOK_MS);
    },
    close(): void {
      clearInterval(looking);
      looking = undefined;
    },
  };
}
export type PushSender = ReturnType<typeof createPushSender>;
