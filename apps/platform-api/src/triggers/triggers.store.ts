import type { Caller, Project } from '@millwright/auth';
import { fromCounted, type Unit } from '@millwright/budgets';
import {
  ADVISORY_LOCKS,
  encodeId,
  type Database,
  type LockedRecord,
  type Prisma,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError } from '@millwright/errors';
import { defineRecords } from '@millwright/records';
import { MOST_TRIGGERS } from '@millwright/runs/triggers';
import { listRecords } from '../lists/list-records.js';
import type { ListQuery } from '../lists/list.contract.js';
import type { Trigger } from './triggers.contract.js';

type StoredTrigger = Prisma.TriggerGetPayload<object>;

interface TriggerRow extends Omit<
  StoredTrigger,
  'project' | 'secret' | 'former_secret' | 'rights' | 'created_by' | 'kind' | 'status'
> {
  kind: Trigger['kind'];
  status: Trigger['status'];
  owner_name: string;
}

const timeText = (time: Date | null) => time?.toISOString() ?? null;

function budgetOf({ budget_unit: unit, budget_amount: amount }: TriggerRow): Trigger['budget'] {
  if (unit === null || amount === null) return null;
  return { unit: unit as Unit, amount: fromCounted(unit as Unit, amount) };
}

function toResponse(row: TriggerRow): Trigger {
  const { name, description, kind, status, agent, input, schedule, timezone } = row;
  return {
    id: encodeId('trg', row.id),
    ...{ name, description, kind, status },
    disabled_reason: row.disabled_reason as Trigger['disabled_reason'],
    ...{ agent, input },
    context: row.context as Trigger['context'],
    context_id: row.context_id === null ? null : encodeId('ctx', row.context_id),
    overlap: row.overlap as Trigger['overlap'],
    missed: row.missed as Trigger['missed'],
    ...{ schedule, timezone },
    starts_at: timeText(row.starts_at),
    ends_at: timeText(row.ends_at),
    next_at: timeText(row.next_at),
    path: row.address === null ? null : `/api/v1/triggers/${row.address}`,
    signature: row.signature as Trigger['signature'],
    former_secret_until: row.former_until && row.former_until > new Date() ? timeText(row.former_until) : null,
    budget: budgetOf(row),
    owner: { id: encodeId('usr', row.owner_id), name: row.owner_name },
    max_failures: row.max_failures,
    failures: row.failures,
    firings: row.firing_count,
    last_fired_at: timeText(row.last_fired_at),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const COLUMNS = [
  ...['id', 'name', 'description', 'kind', 'status', 'disabled_reason', 'agent', 'input', 'context', 'context_id'],
  ...['overlap', 'missed', 'schedule', 'timezone', 'starts_at', 'ends_at', 'next_at', 'address', 'signature'],
  ...[
    'former_until',
    'owner_id',
    'budget_unit',
    'budget_amount',
    'max_failures',
    'failures',
    'firing_count',
    'last_fired_at',
    'version',
  ],
  ...['created_at', 'updated_at'],
].map((column) => `r.${column}`);

const TRIGGERS = defineRecords<TriggerRow, Trigger>({
  table: 'triggers',
  prefix: 'trg',
  noun: 'trigger',
  columns: [...COLUMNS, 'o.name AS owner_name'].join(', '),
  // SQL for the size of a record in bytes, which limits the items in one answer: a message template may have 20,000 characters.
  bytes: 'octet_length(r.input)',
  join: 'JOIN users o ON o.id = r.owner_id',
  toResponse,
});

/** Columns that a change can set, including columns that no request contains. */
export type TriggerColumns = Omit<Prisma.TriggerUncheckedUpdateInput, 'id' | 'project' | 'kind' | 'version'>;
export type NewTriggerColumns = Omit<Prisma.TriggerUncheckedCreateInput, 'id' | 'project' | 'created_by'>;

/** A locked trigger with the fields that the rules need. */
export interface LockedTriggerRecord extends LockedRecord {
  row: StoredTrigger;
}

async function toVersioned(tx: Tx, row: StoredTrigger): Promise<Versioned<Trigger>> {
  const { name } = await tx.user.findUniqueOrThrow({ where: { id: row.owner_id }, select: { name: true } });
  const [kind, status] = [row.kind as Trigger['kind'], row.status as Trigger['status']];
  return TRIGGERS.toVersioned({ ...row, kind, status, owner_name: name });
}

/** Triggers of the platform API. Every function reads and changes only one project. */
export function createTriggerStore(db: Database) {
  return {
    find: (project: Project, id: string) => TRIGGERS.find(db, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db.reads, TRIGGERS, project, query),

    /** @throws AppError quota_exceeded, conflict when the name is taken */
    async create(tx: Tx, caller: Caller, id: string, columns: NewTriggerColumns): Promise<Versioned<Trigger>> {
      const { project } = caller;
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${project}, ${ADVISORY_LOCKS.triggers}))::text`;
      if ((await tx.trigger.count({ where: { project, deleted_at: null } })) >= MOST_TRIGGERS) {
        const reason = `the project has ${MOST_TRIGGERS}, and may not have more; delete one that is no longer needed`;
        throw new AppError('quota_exceeded', { fields: [{ field: 'triggers', reason }] });
      }
      const row = await TRIGGERS.create(
        tx,
        caller,
        (own) => tx.trigger.create({ data: { ...columns, ...own } }),
        ({ name, kind, agent, schedule, timezone }) => ({ name, kind, agent, schedule, timezone }),
        id,
      );
      return toVersioned(tx, row);
    },

    /** @throws AppError not_found, precondition_failed */
    async lock(tx: Tx, caller: Caller, target: Target): Promise<LockedTriggerRecord> {
      const current = await TRIGGERS.lock(tx, caller, target);
      return { ...current, row: await tx.trigger.findUniqueOrThrow({ where: { id: current.id } }) };
    },

    /** Sets these columns of the locked trigger; the audit log names `fields`. */
    async change(
      tx: Tx,
      caller: Caller,
      current: LockedRecord,
      columns: TriggerColumns,
      fields: readonly string[],
    ): Promise<Versioned<Trigger>> {
      const where = { id: current.id };
      const row = await TRIGGERS.change(
        tx,
        caller,
        current,
        (next) => tx.trigger.update({ where, data: { ...columns, ...next } }),
        ({ agent, schedule }) => ({
          fields: [...fields],
          ...(fields.includes('agent') && { agent }),
          ...(fields.includes('schedule') && { schedule }),
        }),
      );
      return toVersioned(tx, row);
    },

    read: async (tx: Tx, current: LockedTriggerRecord): Promise<Versioned<Trigger>> => toVersioned(tx, current.row),

    /**
     * Deletes a trigger in constant time, regardless of its number of firings: the row is hidden, its address and secrets are removed, its
     * name is freed, and a job deletes its firings.
     *
     * @throws AppError not_found, precondition_failed
     */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      TRIGGERS.remove(tx, caller, target, ({ id }) =>
        tx.trigger.update({
          where: { id },
          data: {
            ...{ deleted_at: new Date(), status: 'inactive', name: `deleted ${id}`, description: '', input: '' },
            ...{ next_at: null, address: null, secret: null, former_secret: null, former_until: null },
          },
        }),
      ),
  };
}
export type TriggerStore = ReturnType<typeof createTriggerStore>;
