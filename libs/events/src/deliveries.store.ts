import type { Database, Tx } from '@millwright/db';
import { BLOCKED, subjectLock } from './record-event.js';

/** An active webhook that has a delivery to send now. */
export interface Receiver {
  id: string;
  project: string;
  url: string;
  /** Sealed key of the webhook. */
  secret: string;
  /** The former key, sealed; null once the overlap of a rotation is over. */
  former_secret: string | null;
}

/** A delivery that this process has claimed to send it now. */
export interface Claim {
  id: string;
  webhook_id: string;
  subject: string;
  /** Number of the attempt, from 1. The result is stored only while the delivery has this number (fencing token). */
  attempts: number;
  event_id: string;
  seq: string;
  type: string;
  project: string;
  data: unknown;
  created_at: Date;
}

/** The result of an attempt. */
export interface Answer {
  /** HTTP status of the receiver; null when it did not respond. */
  status: number | null;
  /** Error of the attempt; null when the event was delivered. */
  error: string | null;
  /** Beginning of the answer's body. */
  text: string | null;
  /** Delay that the receiver requested before the next attempt (`Retry-After`), in milliseconds. */
  retryAfterMs?: number | undefined;
}

/** Seconds for which no other process takes a claimed delivery: longer than an attempt lasts. */
export const CLAIM_SECONDS = 30;

const RECEIVERS = `
  SELECT w.id, w.project, w.url, w.secret, CASE WHEN w.former_until > now() THEN w.former_secret END AS former_secret
    FROM webhooks w
   WHERE w.status = 'active'
     AND EXISTS (SELECT FROM event_deliveries d WHERE d.webhook_id = w.id AND d.state = 'pending' AND d.next_at <= now())`;

export const readReceivers = (db: Database): Promise<Receiver[]> => db.prepared('read-event-receivers', RECEIVERS, []);

/**
 * Claims only the first waiting delivery of each subject. The next delivery becomes due when the first one was
 * delivered or given up. The condition is a subquery for each due row, because there are few due rows; a join could
 * read all waiting rows.
 */
const CLAIM = `
  WITH due AS (
    SELECT claimed.id
      FROM unnest($1::uuid[], $2::int[]) AS receiver (webhook_id, most), LATERAL (
        SELECT d.id FROM event_deliveries d
         WHERE d.webhook_id = receiver.webhook_id AND d.state = 'pending' AND d.next_at <= now()
           AND d.seq = (SELECT min(first.seq) FROM event_deliveries first
                         WHERE first.webhook_id = d.webhook_id AND first.subject = d.subject AND first.state = 'pending')
         ORDER BY d.next_at LIMIT receiver.most FOR UPDATE SKIP LOCKED) claimed)
  UPDATE event_deliveries d
     SET attempts = d.attempts + 1, last_at = now(), next_at = now() + interval '${CLAIM_SECONDS} seconds'
    FROM due, events e
   WHERE d.id = due.id AND e.id = d.event_id
  RETURNING d.id, d.webhook_id, d.subject, d.attempts, d.event_id, d.seq::text, e.type, e.project, e.data, e.created_at`;

/** Claims due deliveries, at most `most` of each webhook. */
export const claimDeliveries = (db: Database, most: ReadonlyMap<string, number>): Promise<Claim[]> =>
  db.prepared('claim-event-deliveries', CLAIM, [[...most.keys()], [...most.values()]]);

/**
 * Makes the next delivery of the claim's subject due. Call this in the transaction that ended the previous delivery and
 * that has the subject's lock.
 */
export const unblockNext = (tx: Tx, { webhook_id, subject }: Claim): Promise<unknown> => tx.$executeRaw`
  UPDATE event_deliveries SET next_at = now()
   WHERE next_at = ${BLOCKED}
     AND id = (SELECT id FROM event_deliveries
                WHERE webhook_id = ${webhook_id}::uuid AND subject = ${subject} AND state = 'pending' ORDER BY seq LIMIT 1)`;

export async function lockSubject(tx: Tx, { subject }: Claim): Promise<void> {
  await tx.$queryRaw`SELECT ${subjectLock(subject)} AS locked`;
}

const WORKS = `UPDATE webhooks SET failing_since = NULL, warned_at = NULL WHERE id = $1 AND failing_since IS NOT NULL`;

/**
 * Stores a successful delivery. Also marks the webhook as working, even when another process has taken the delivery
 * over meanwhile.
 */
export async function markDelivered(db: Database, claim: Claim, { status, text }: Answer): Promise<void> {
  await db.transaction(async (tx) => {
    await lockSubject(tx, claim);
    const ended = await tx.$executeRaw`
      UPDATE event_deliveries SET state = 'delivered', last_status = ${status}, last_error = NULL, answer = ${text}
       WHERE id = ${claim.id}::uuid AND attempts = ${claim.attempts} AND state = 'pending'`;
    if (ended > 0) await unblockNext(tx, claim);
  });
  // Run this statement without the subject's lock, to avoid a deadlock: transactions that wait for that lock already have a lock on the webhook.
  await db.prepared('mark-webhook-works', WORKS, [claim.webhook_id]);
}
