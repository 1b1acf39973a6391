import { ADVISORY_LOCKS, newId, Prisma, type Tx } from '@millwright/db';
import { TEST_EVENT, type EventType } from './event-types.js';

export interface NewEvent {
  project: string;
  type: Exclude<EventType, typeof TEST_EVENT>;
  /** Public id of the event's subject. Events of one subject arrive in order. */
  subject: string;
  /** Details of the event. Their JSON has at most 64 KiB and contains no secret. */
  data: Prisma.InputJsonObject;
}

/** Maximum size of an event's data, in bytes. */
export const MOST_DATA_BYTES = 65_536;
/** Limit of a webhook's waiting deliveries. Further events are not queued for it, and can be replayed later. */
export const MOST_PENDING = 10_000;
/**
 * `next_at` of a delivery that waits for an earlier delivery of its subject. With this time in the far future, claims do not find the
 * waiting delivery in their index.
 */
export const BLOCKED = Prisma.sql`timestamptz '9999-12-31'`;

/** SQL lock: until the transaction ends, no other transaction adds an event of the subject or ends a delivery of such an event. */
export const subjectLock = (subject: string): Prisma.Sql =>
  Prisma.sql`pg_advisory_xact_lock(hashtextextended(${subject}, ${ADVISORY_LOCKS.eventSubjects}))::text`;

/**
 * Records an event in the transaction of its change, for the project's active webhooks that receive its type. Writes
 * nothing when there are no such webhooks. Call this at the end of the transaction: it locks the subject until the
 * commit, so that events have the order of the commits.
 */
export async function recordEvent(tx: Tx, { project, type, subject, data }: NewEvent): Promise<void> {
  const receivers = await tx.$queryRaw<{ id: string }[]>`
    WITH receiver AS (
      SELECT id FROM webhooks
       WHERE project = ${project} AND status = 'active' AND (cardinality(event_types) = 0 OR ${type} = ANY(event_types))
         FOR KEY SHARE)
    SELECT id, ${subjectLock(subject)} AS locked FROM receiver`;
  if (receivers.length === 0) return;
  const ids = receivers.map(({ id }) => id);
  await writeEvent(tx, { project, type, subject, data }, ids);
}

/** SQL: whether a project may have receivers of events. Without receivers, `recordEvent` need not be called. */
export const hasReceivers = (project: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`EXISTS (SELECT FROM webhooks WHERE project = ${project} AND status = 'active')`;

/** Records an event for one webhook, which the caller has locked. @returns the delivery's id */
export async function recordTestEvent(tx: Tx, project: string, webhookUuid: string, subject: string): Promise<string> {
  const data = { message: 'This is a test.' };
  await tx.$queryRaw`SELECT ${subjectLock(subject)} AS locked`;
  const [id = ''] = await writeEvent(tx, { project, type: TEST_EVENT, subject, data }, [webhookUuid]);
  return id;
}

async function writeEvent(
  tx: Tx,
  { project, type, subject, data }: Omit<NewEvent, 'type'> & { type: EventType },
  webhooks: readonly string[],
): Promise<string[]> {
  const deliveries = webhooks.map(() => newId());
  await tx.$executeRaw`
    WITH event AS (
      INSERT INTO events (id, project, type, subject, data)
      VALUES (${newId()}::uuid, ${project}, ${type}, ${subject}, ${boundedJson(data)}::json)
      RETURNING id, seq)
    INSERT INTO event_deliveries (id, webhook_id, event_id, subject, seq, state, next_at, retry_until)
    SELECT receiver.delivery_id, receiver.webhook_id, event.id, ${subject}, event.seq,
           CASE WHEN (SELECT count(*) FROM (SELECT FROM event_deliveries d
                       WHERE d.webhook_id = receiver.webhook_id AND d.state = 'pending' LIMIT ${MOST_PENDING}) waiting) < ${MOST_PENDING}
                THEN 'pending' ELSE 'skipped' END,
           CASE WHEN EXISTS (SELECT FROM event_deliveries d
                              WHERE d.webhook_id = receiver.webhook_id AND d.subject = ${subject} AND d.state = 'pending')
                THEN ${BLOCKED} ELSE now() END,
           now() + interval '72 hours'
      FROM event, unnest(${deliveries}::uuid[], ${webhooks}::uuid[]) AS receiver (delivery_id, webhook_id)`;
  return deliveries;
}

/** Returns the data as JSON. Data that are too large are replaced, so that recording an event never makes its change fail. */
function boundedJson(data: Prisma.InputJsonObject): string {
  const json = JSON.stringify(data);
  return Buffer.byteLength(json) <= MOST_DATA_BYTES ? json : JSON.stringify({ omitted: 'larger than 64 KiB' });
}
