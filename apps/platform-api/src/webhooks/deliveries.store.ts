import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { decodeId, encodeId, lockRecord, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { recordTestEvent } from '@millwright/events';
import type { Delivery, DeliveryQuery, Replay } from './webhooks.contract.js';

interface DeliveryRow {
  id: string;
  event_id: string;
  type: string;
  subject: string;
  seq: string;
  event_at: Date;
  state: Delivery['state'];
  attempts: number;
  next_at: Date;
  last_at: Date | null;
  last_status: number | null;
  last_error: string | null;
  answer: string | null;
  data: unknown;
}

const COLUMNS = `d.id, d.event_id, e.type, d.subject, d.seq::text, e.created_at AS event_at, d.state, d.attempts, d.next_at,
  d.last_at, d.last_status, d.last_error, d.answer`;

function toResponse(row: DeliveryRow): Delivery {
  const { state, attempts, last_status, last_error, answer } = row;
  return {
    id: encodeId('dlv', row.id),
    event: {
      id: encodeId('evt', row.event_id),
      type: row.type,
      subject: row.subject,
      sequence: Number(row.seq),
      created_at: row.event_at.toISOString(),
    },
    state,
    attempts,
    // A delivery that waits for an earlier delivery of the same subject has no next attempt yet.
    next_attempt_at: state === 'pending' && row.next_at.getUTCFullYear() < 9999 ? row.next_at.toISOString() : null,
    last_attempt_at: row.last_at?.toISOString() ?? null,
    last_status,
    last_error,
    answer,
  };
}

/** Maximum number of deliveries in one replay. */
const MOST_REPLAYED = 1_000;
/** Cursor of the first page: a value above every id. */
const FIRST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const PAGE = (filter: string) => `
  SELECT ${COLUMNS} FROM event_deliveries d JOIN events e ON e.id = d.event_id
   WHERE d.webhook_id = $1 AND d.id < $2 ${filter} ORDER BY d.id DESC LIMIT $3`;

const ONE = `
  SELECT ${COLUMNS}, e.data FROM event_deliveries d
    JOIN events e ON e.id = d.event_id JOIN webhooks w ON w.id = d.webhook_id
   WHERE d.webhook_id = $1 AND d.id = $2 AND w.project = $3 AND w.deleted_at IS NULL`;

const uuidOf = (webhook: string) => decodeId('wh', webhook) ?? '';

/** Deliveries of webhooks, for the admins of one project. */
export function createDeliveryStore(db: Database) {
  async function find(reader: Pick<Database, 'prepared'>, project: Project, webhook: string, id: string) {
    const ids = [decodeId('wh', webhook), decodeId('dlv', id)];
    if (ids.includes(undefined)) return undefined;
    const [row] = await reader.prepared<DeliveryRow>('find-event-delivery', ONE, [...ids, project]);
    return row && { ...toResponse(row), data: row.data };
  }

  /** Locks an active webhook, so that its deliveries can be sent. @throws AppError not_found, conflict */
  async function lockActive(tx: Tx, { project }: Caller, webhook: string): Promise<string> {
    const { id, status } = await lockRecord(tx, 'webhooks', project, decodeId('wh', webhook), undefined);
    if (status !== 'active') throw new AppError('conflict');
    return id;
  }

  const record = (tx: Tx, { actor, project }: Caller, action: string, resource: string, detail: object) =>
    recordDecision(tx, { actor, action, resource, project, detail: { ...detail } });

  async function read(tx: Tx, id: string): Promise<Delivery> {
    const { event, seq, ...row } = await tx.eventDelivery.findUniqueOrThrow({
      where: { id },
      include: { event: true },
    });
    const state = row.state as Delivery['state'];
    return toResponse({ ...row, state, seq: String(seq), type: event.type, event_at: event.created_at, data: null });
  }

  return {
    find: (project: Project, webhook: string, id: string) => find(db, project, webhook, id),

    /**
     * Returns one page of deliveries. The webhook must belong to the caller's project.
     * @throws AppError validation_error for an invalid `cursor`
     */
    async list(webhook: string, { state, cursor, limit }: DeliveryQuery) {
      const after = cursor === undefined ? FIRST : decodeId('dlv', cursor);
      if (after === undefined)
        throw new AppError('validation_error', { fields: [{ field: 'cursor', reason: 'is not one of an answer' }] });
      const values = [uuidOf(webhook), after, limit + 1];
      const rows =
        state === undefined
          ? await db.prepared<DeliveryRow>('list-event-deliveries', PAGE(''), values)
          : await db.prepared<DeliveryRow>('list-event-deliveries-state', PAGE('AND d.state = $4'), [...values, state]);
      const items = rows.slice(0, limit).map(toResponse);
      return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
    },

    /** @throws AppError not_found, conflict for an inactive webhook */
    async test(tx: Tx, caller: Caller, webhook: string): Promise<Delivery> {
      const id = await lockActive(tx, caller, webhook);
      const delivery = await recordTestEvent(tx, caller.project, id, webhook);
      await record(tx, caller, 'webhook.test', webhook, {});
      return read(tx, delivery);
    },

    /** @throws AppError not_found, conflict for an inactive webhook */
    async replay(tx: Tx, caller: Caller, webhook: string, delivery: string): Promise<Delivery> {
      const webhook_id = await lockActive(tx, caller, webhook);
      const id = decodeId('dlv', delivery) ?? '';
      const replayed =
        id &&
        (await tx.$executeRaw`
        UPDATE event_deliveries SET state = 'pending', attempts = 0, next_at = now(), retry_until = now() + interval '72 hours'
         WHERE id = ${id}::uuid AND webhook_id = ${webhook_id}::uuid`);
      if (!replayed) throw new AppError('not_found');
      await record(tx, caller, 'webhook.replay', webhook, { delivery });
      return read(tx, id);
    },

    /**
     * Replays the failed and skipped events of a period, oldest first; with `delivered`, also the delivered events.
     * @throws AppError not_found, conflict for an inactive webhook
     */
    async replayPeriod(tx: Tx, caller: Caller, webhook: string, { since, until, delivered }: Replay) {
      const id = await lockActive(tx, caller, webhook);
      const states = ['failed', 'skipped', ...(delivered ? ['delivered'] : [])];
      const [from, to] = [new Date(since), until === undefined ? new Date() : new Date(until)];
      const replayed = await tx.$executeRaw`
        UPDATE event_deliveries SET state = 'pending', attempts = 0, next_at = now(), retry_until = now() + interval '72 hours'
         WHERE id = ANY(ARRAY(
           SELECT d.id FROM event_deliveries d JOIN events e ON e.id = d.event_id
            WHERE d.webhook_id = ${id}::uuid AND d.state = ANY(${states}) AND e.created_at >= ${from} AND e.created_at < ${to}
            ORDER BY d.seq LIMIT ${MOST_REPLAYED}))`;
      await record(tx, caller, 'webhook.replay', webhook, { since, until: to.toISOString(), replayed });
      return { replayed, more: replayed === MOST_REPLAYED };
    },
  };
}
export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
