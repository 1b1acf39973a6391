import {
  fromCounted,
  MOST_AMOUNT,
  MOST_BUDGETS,
  SPENDING,
  toCounted,
  windowStart,
  SHARED_LEVELS,
  type Level,
  type Period,
  type Unit,
} from '@millwright/budgets';
import type { Caller, Project } from '@millwright/auth';
import {
  ADVISORY_LOCKS,
  decodeId,
  encodeId,
  Prisma,
  type Database,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { defineRecords } from '@millwright/records';
import { listRecords } from '../lists/list-records.js';
import { listSubjects } from './subjects.store.js';
import type { Budget, BudgetChanges, BudgetListQuery, BudgetSubjectQuery, NewBudget } from './budgets.contract.js';

interface BudgetRow {
  id: string;
  name: string;
  level: Level;
  subject_id: string | null;
  subject_name: string | null;
  client_id: string | null;
  period: Period;
  unit: Unit;
  amount: string;
  status: 'active' | 'inactive';
  starts_on: string;
  ends_on: string | null;
  reserved: number;
  spent: number;
  waiting_runs: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Greatest number of runs that is counted as waiting for a budget; the count stops there. */
const MOST_COUNTED = 1_000;
/** Maximum number of budgets in the list of a user's own budgets. */
const MOST_OWN = 200;

const PREFIXES = { api_key: 'key', user: 'usr', agent: 'ag', trigger: 'trg', run: 'run' } as const;

function subjectOf({ level, subject_id, subject_name, client_id }: BudgetRow): Budget['subject'] {
  if (level === 'project' || subject_id === null) return null;
  const id = level === 'client' ? (client_id ?? '') : encodeId(PREFIXES[level], subject_id);
  return { id, name: subject_name ?? id };
}

function toResponse(row: BudgetRow): Budget {
  const { name, level, period, unit, status, starts_on, ends_on, waiting_runs } = row;
  const hasPeriods = period !== 'total';
  return {
    id: encodeId('bud', row.id),
    ...{ name, level },
    subject: subjectOf(row),
    ...{ period, unit },
    amount: fromCounted(unit, BigInt(row.amount)),
    status,
    window: {
      starts_on: hasPeriods ? starts_on : null,
      ends_on: hasPeriods ? ends_on : null,
      spent: fromCounted(unit, row.spent),
      reserved: fromCounted(unit, row.reserved),
    },
    waiting_runs,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const COLUMNS = `r.id, r.name, r.level, coalesce(r.api_key_id, r.client_id, r.user_id, r.agent_id, r.trigger_id, r.run_id) AS subject_id,
  coalesce(k.name, c.name, u.name, g.name, t.name) AS subject_name, c.client_id, r.period, r.unit, r.amount::text AS amount, r.status,
  p.starts_on::text AS starts_on,
  CASE r.period WHEN 'day' THEN p.starts_on + 1 WHEN 'month' THEN (p.starts_on + interval '1 month')::date END::text AS ends_on,
  coalesce(w.reserved, 0)::float8 AS reserved, coalesce(w.spent, 0)::float8 AS spent, q.waiting_runs, r.version, r.created_at, r.updated_at`;

const JOIN = `CROSS JOIN LATERAL (SELECT ${windowStart('r')} AS starts_on) p
  LEFT JOIN budget_windows w ON w.budget_id = r.id AND w.starts_on = p.starts_on
  LEFT JOIN user_api_keys k ON k.id = r.api_key_id LEFT JOIN oauth_clients c ON c.id = r.client_id
  LEFT JOIN users u ON u.id = r.user_id LEFT JOIN agents g ON g.id = r.agent_id LEFT JOIN triggers t ON t.id = r.trigger_id
  CROSS JOIN LATERAL (SELECT count(*)::int AS waiting_runs FROM (
    SELECT FROM budget_waits b WHERE b.budget_id = r.id LIMIT ${MOST_COUNTED}) few) q`;

const BUDGETS = defineRecords<BudgetRow, Budget>({
  ...{ table: 'budgets', prefix: 'bud', noun: 'budget' },
  columns: COLUMNS,
  join: JOIN,
  toResponse,
});

/**
 * Returns the column and the row id of a budget's subject.
 * @throws AppError validation_error for a `subject_id` that is missing, unknown in the project, or not allowed for the level
 */
async function subjectColumn(tx: Tx, project: Project, level: NewBudget['level'], id: string | undefined) {
  if (level === 'project') {
    if (id !== undefined) throw invalidField('subject_id', 'is not for the level project');
    return {};
  }
  if (id === undefined) throw invalidField('subject_id', `is required for the level ${level}`);
  const missing = invalidField('subject_id', `names no ${level === 'api_key' ? 'API key' : level} of the project`);
  if (level === 'client') {
    const client = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM oauth_clients WHERE client_id = ${id} AND (project IS NULL OR project = ${project})`;
    if (!client[0]) throw missing;
    return { client_id: client[0].id };
  }
  const uuid = decodeId(PREFIXES[level], id);
  if (uuid === undefined) throw missing;
  const found = await findSubject(tx, project, level, uuid);
  if (!found) throw missing;
  return { [`${level}_id`]: uuid };
}

async function findSubject(tx: Tx, project: Project, level: 'api_key' | 'user' | 'agent' | 'trigger', id: string) {
  const select = { id: true } as const;
  if (level === 'agent') return tx.agent.findFirst({ where: { id, project }, select });
  if (level === 'trigger') return tx.trigger.findFirst({ where: { id, project, deleted_at: null }, select });
  if (level === 'api_key') return tx.userApiKey.findFirst({ where: { id, project, revoked_at: null }, select });
  // An admin may be the subject of a budget in every project.
  return tx.user.findFirst({ where: { id, deleted_at: null, OR: [{ project }, { role: 'admin' }] }, select });
}

const notify = (tx: Tx) => tx.$queryRaw`SELECT pg_notify(${SPENDING}, '')::text`;

/** Budgets of the platform API. Every function reads and changes only one project. */
export function createBudgetStore(db: Database) {
  /** Reads the budget within the transaction, in the form of an answer. */
  async function read(tx: Tx, id: string): Promise<Versioned<Budget>> {
    const [row] = await tx.$queryRaw<BudgetRow[]>`
      SELECT ${Prisma.raw(COLUMNS)} FROM budgets r ${Prisma.raw(JOIN)} WHERE r.id = ${id}::uuid`;
    if (!row) throw new AppError('not_found');
    return BUDGETS.toVersioned(row);
  }

  return {
    find: (project: Project, id: string) => BUDGETS.find(db, project, id),

    list(project: Project, { level, ...query }: BudgetListQuery) {
      const within =
        level === undefined
          ? { name: 'shared', sql: (of: string) => `r.level = ANY(${of}::text[])`, value: SHARED_LEVELS }
          : { name: 'level', sql: (of: string) => `r.level = ${of}`, value: level };
      return listRecords(db.reads, BUDGETS, project, query, { within, searched: ['r.name', 'r.name'] });
    },

    listSubjects: (project: Project, query: BudgetSubjectQuery) => listSubjects(db, project, query),

    /** Lists the budgets of an account, of its API keys and of its triggers. */
    async listOwn({ project, actor }: Caller): Promise<Budget[]> {
      const own = (of: string) =>
        `(r.user_id = ${of}::uuid OR r.api_key_id = ANY(ARRAY(SELECT id FROM user_api_keys WHERE user_id = ${of}::uuid))
          OR r.trigger_id = ANY(ARRAY(SELECT id FROM triggers WHERE owner_id = ${of}::uuid)))`;
      const { items } = await BUDGETS.list(db, project, {
        conditions: [{ name: 'own', sql: own, value: actor.userId }],
        ...{ sort: 'created_at', direction: 'desc', limit: MOST_OWN, offset: 0 },
      });
      return items;
    },

    /** @throws AppError quota_exceeded; conflict for a second budget with the same level, subject, period and unit */
    async create(tx: Tx, caller: Caller, input: NewBudget): Promise<Versioned<Budget>> {
      const { project } = caller;
      const { subject_id, amount, ...fields } = input;
      await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${project}, ${ADVISORY_LOCKS.budgets}))::text`;
      if ((await tx.budget.count({ where: { project, level: { in: [...SHARED_LEVELS] } } })) >= MOST_BUDGETS) {
        const reason = `the project has ${MOST_BUDGETS}, and may not have more; delete one that is no longer needed`;
        throw new AppError('quota_exceeded', { fields: [{ field: 'budgets', reason }] });
      }
      const subject = await subjectColumn(tx, project, input.level, subject_id);
      const columns = { ...fields, ...subject, amount: countedAmount(input.unit, amount) };
      const { id } = await BUDGETS.create(
        tx,
        caller,
        (own) => tx.budget.create({ data: { ...columns, ...own } }),
        ({ name, level, period, unit }) => ({ name, level, subject: subject_id ?? null, period, unit, amount }),
      );
      await notify(tx);
      return read(tx, id);
    },

    /**
     * Changes a budget. A new amount applies to the current period at once. After an increase, the use of the new amount is reported again.
     * @throws AppError not_found, precondition_failed, validation_error for the amount
     */
    async change(
      tx: Tx,
      caller: Caller,
      target: Target,
      { amount, ...changes }: BudgetChanges,
    ): Promise<Versioned<Budget>> {
      const current = await BUDGETS.lock(tx, caller, target);
      const before = await tx.budget.findUniqueOrThrow({ where: { id: current.id } });
      const unit = before.unit as Unit;
      if (before.level === 'run' && changes.status === 'inactive')
        throw invalidField('status', 'is always active for the budget of a run');
      const data = { ...changes, ...(amount !== undefined && { amount: countedAmount(unit, amount) }) };
      if (Object.keys(data).length === 0) return read(tx, current.id);
      await BUDGETS.change(
        tx,
        caller,
        current,
        (next) => tx.budget.update({ where: { id: current.id }, data: { ...data, ...next } }),
        (row) => ({
          fields: Object.keys(data),
          ...(amount !== undefined && {
            amount: { from: fromCounted(unit, before.amount), to: fromCounted(unit, row.amount) },
          }),
        }),
      );
      if (data.amount !== undefined)
        await tx.$executeRaw`
          UPDATE budget_windows w SET amount = b.amount, exhausted_at = NULL,
                 warned_at = CASE WHEN w.spent >= 0.8 * b.amount THEN w.warned_at END
            FROM budgets b
           WHERE b.id = ${current.id}::uuid AND w.budget_id = b.id
             AND w.starts_on >= CASE b.period WHEN 'total' THEN date '1970-01-01' ELSE date_trunc(b.period, now() AT TIME ZONE 'UTC')::date END`;
      await notify(tx);
      return read(tx, current.id);
    },

    /** @throws AppError not_found, precondition_failed; conflict for the budget of a run, which is deleted with the run */
    async remove(tx: Tx, caller: Caller, target: Target): Promise<void> {
      await BUDGETS.remove(tx, caller, target, async ({ id }) => {
        const { level } = await tx.budget.delete({ where: { id } });
        if (level === 'run')
          throw new AppError('conflict', { fields: [{ field: 'budget', reason: 'is of a run, and ends with it' }] });
      });
      await notify(tx);
    },
  };
}
export type BudgetStore = ReturnType<typeof createBudgetStore>;

/**
 * Converts an amount to its stored form.
 * @throws AppError validation_error for an amount that is too large, a fraction of a token, or has more than six decimals
 */
function countedAmount(unit: Unit, amount: number): bigint {
  if (amount > MOST_AMOUNT[unit]) throw invalidField('amount', `must be at most ${MOST_AMOUNT[unit]}`);
  if (unit === 'tokens' && !Number.isInteger(amount)) throw invalidField('amount', 'must be a whole number of tokens');
  const counted = toCounted(unit, amount);
  if (fromCounted(unit, counted) !== amount) throw invalidField('amount', 'must have at most six decimals');
  return counted;
}
