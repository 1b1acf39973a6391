import type { Caller, Project } from '@millwright/auth';
import {
  ADVISORY_LOCKS,
  encodeId,
  type Database,
  type LockedRecord,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError } from '@millwright/errors';
import { MOST_PENDING } from '@millwright/events';
import { defineRecords } from '@millwright/records';
import { listRecords } from '../lists/list-records.js';
import type { ListQuery } from '../lists/list.contract.js';
import type { NewWebhook, Webhook, WebhookChanges } from './webhooks.contract.js';

interface WebhookRow {
  id: string;
  name: string;
  url: string;
  description: string;
  event_types: string[];
  status: string;
  disabled_reason: string | null;
  failing_since: Date | null;
  former_until: Date | null;
  waiting: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Maximum number of webhooks in a project. */
const MOST_WEBHOOKS = 20;

const WAITING = `SELECT count(*)::int AS waiting FROM (
  SELECT FROM event_deliveries d WHERE d.webhook_id = r.id AND d.state = 'pending' LIMIT ${MOST_PENDING}) few`;

const timeText = (time: Date | null) => time?.toISOString() ?? null;

function toResponse(row: WebhookRow): Webhook {
  const { name, url, description, event_types, waiting } = row;
  const reason = row.disabled_reason;
  return {
    id: encodeId('wh', row.id),
    name,
    url,
    description,
    event_types,
    status: row.status === 'active' ? 'active' : 'inactive',
    disabled_reason: reason === 'failing' || reason === 'gone' ? reason : null,
    failing_since: timeText(row.failing_since),
    former_secret_until: row.former_until && row.former_until > new Date() ? timeText(row.former_until) : null,
    waiting,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const WEBHOOKS = defineRecords<WebhookRow, Webhook>({
  table: 'webhooks',
  prefix: 'wh',
  noun: 'webhook',
  columns: `r.id, r.name, r.url, r.description, r.event_types, r.status, r.disabled_reason, r.failing_since, r.former_until,
    w.waiting, r.version, r.created_at, r.updated_at`,
  join: `CROSS JOIN LATERAL (${WAITING}) w`,
  toResponse,
});

/** A new secret and the former secret, both encrypted. */
export interface SecretChange {
  secret: string;
  former_secret: string;
  former_until: Date;
}

export interface LockedWebhook extends LockedRecord {
  secret: string;
}

async function toVersioned(tx: Tx, row: Omit<WebhookRow, 'waiting'>): Promise<Versioned<Webhook>> {
  const where = { webhook_id: row.id, state: 'pending' };
  const waiting = await tx.eventDelivery.count({ where, take: MOST_PENDING });
  return WEBHOOKS.toVersioned({ ...row, waiting });
}

/** Webhooks of the platform API. Every function reads and changes only one project. */
export function createWebhookStore(db: Database) {
  return {
    find: (project: Project, id: string) => WEBHOOKS.find(db, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db.reads, WEBHOOKS, project, query),

    /** @throws AppError quota_exceeded, conflict when the name is taken */
    async create(
      tx: Tx,
      caller: Caller,
      id: string,
      input: NewWebhook & { secret: string },
    ): Promise<Versioned<Webhook>> {
      const { project } = caller;
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${project}, ${ADVISORY_LOCKS.webhooks}))::text`;
      if ((await tx.webhook.count({ where: { project, deleted_at: null } })) >= MOST_WEBHOOKS) {
        const reason = `the project has ${MOST_WEBHOOKS}, and may not have more; delete one that is no longer needed`;
        throw new AppError('quota_exceeded', { fields: [{ field: 'webhooks', reason }] });
      }
      const row = await WEBHOOKS.create(
        tx,
        caller,
        (columns) => tx.webhook.create({ data: { ...input, ...columns } }),
        ({ name, url, event_types }) => ({ name, url, event_types }),
        id,
      );
      return toVersioned(tx, row);
    },

    /** @throws AppError not_found, precondition_failed */
    async lock(tx: Tx, caller: Caller, target: Target): Promise<LockedWebhook> {
      const current = await WEBHOOKS.lock(tx, caller, target);
      const { secret } = await tx.webhook.findUniqueOrThrow({ where: { id: current.id }, select: { secret: true } });
      return { ...current, secret };
    },

    /** Sets these fields of the locked webhook. An empty set changes nothing. */
    async change(
      tx: Tx,
      caller: Caller,
      current: LockedRecord,
      changes: WebhookChanges | SecretChange,
    ): Promise<Versioned<Webhook>> {
      const where = { id: current.id };
      const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      const fields = Object.keys(set);
      if (fields.length === 0) return toVersioned(tx, await tx.webhook.findUniqueOrThrow({ where }));
      // Setting the status clears the record of failures.
      const cleared = 'status' in set && { failing_since: null, warned_at: null, disabled_reason: null };
      const row = await WEBHOOKS.change(
        tx,
        caller,
        current,
        (next) => tx.webhook.update({ where, data: { ...set, ...cleared, ...next } }),
        ({ url }) => ({ fields, ...('url' in set && { url }) }),
      );
      return toVersioned(tx, row);
    },

    /**
     * Deletes a webhook in constant time, regardless of its number of deliveries: the row is hidden, its secrets are removed, its name is
     * freed, and a job deletes its deliveries.
     *
     * @throws AppError not_found, precondition_failed
     */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      WEBHOOKS.remove(tx, caller, target, ({ id }) =>
        tx.webhook.update({
          where: { id },
          data: {
            ...{ deleted_at: new Date(), status: 'inactive', name: `deleted ${id}` },
            ...{ url: '', description: '', secret: '', former_secret: null, former_until: null },
          },
        }),
      ),
  };
}
export type WebhookStore = ReturnType<typeof createWebhookStore>;
