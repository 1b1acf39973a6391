import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { addFiring, renderInput } from '@millwright/runs/triggers';
import type { Firing, FiringQuery, Test } from './triggers.contract.js';
import type { LockedTriggerRecord } from './triggers.store.js';

interface FiringRow {
  id: string;
  number: number;
  source: string;
  at: Date;
  state: string;
  reason: string | null;
  run_id: string | null;
  input: string;
  created_at: Date;
  ended_at: Date | null;
}

/** Number of characters of each message that a list shows. */
const SHOWN_INPUT = 2_000;
const COLUMNS = `id, number, source, at, state, reason, run_id, left(input, ${SHOWN_INPUT}) AS input, created_at, ended_at`;

const PAGE = (filter: string) => `
  SELECT ${COLUMNS} FROM trigger_firings WHERE trigger_id = $1 AND number < $2 ${filter} ORDER BY number DESC LIMIT $3`;

/** Cursor of the first page: a number above the number of every firing. */
const FIRST = 2_147_483_647;

function toResponse(row: FiringRow): Firing {
  const hasStarted = row.state !== 'pending' && row.state !== 'skipped';
  return {
    id: encodeId('fir', row.id),
    number: row.number,
    source: row.source as Firing['source'],
    at: row.at.toISOString(),
    state: row.state as Firing['state'],
    reason: row.reason as Firing['reason'],
    run_id: row.run_id !== null && hasStarted ? encodeId('run', row.run_id) : null,
    input: row.input,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** Firings of triggers, for the admins of one project. */
export function createFiringStore(db: Database) {
  return {
    /** Returns one page of firings. The trigger must belong to the caller's project. @throws AppError validation_error for an invalid `cursor` */
    async list(trigger: string, { state, cursor, limit }: FiringQuery) {
      if (cursor !== undefined && !/^[1-9]\d{0,9}$/.test(cursor))
        throw invalidField('cursor', 'is not one of an answer');
      const values = [decodeId('trg', trigger), Math.min(Number(cursor ?? FIRST), FIRST), limit + 1];
      const rows =
        state === undefined
          ? await db.prepared<FiringRow>('list-trigger-firings', PAGE(''), values)
          : await db.prepared<FiringRow>('list-trigger-firings-state', PAGE('AND state = $4'), [...values, state]);
      const items = rows.slice(0, limit).map(toResponse);
      return { items, next_cursor: rows.length > limit ? String(items.at(-1)?.number ?? '') : null };
    },

    /** @throws AppError conflict for a trigger that is inactive or has too many firings; validation_error for a body without a message */
    async test(tx: Tx, caller: Caller, { id, row }: LockedTriggerRecord, { body }: Test): Promise<Firing> {
      if (row.status !== 'active')
        throw new AppError('conflict', { fields: [{ field: 'status', reason: 'is inactive' }] });
      const at = new Date();
      const input = renderInput(row.input, { trigger: row.name, at, body });
      if (input === undefined) throw invalidField('body', 'makes a message that is empty or too long');
      const trigger = {
        ...{ id, project: row.project },
        overlap: row.overlap as 'skip' | 'queue' | 'allow',
        context: row.context as 'new' | 'same',
      };
      const firing = await addFiring(tx, trigger, { source: 'test', key: `test ${newId()}`, at, input });
      const { actor, project } = caller;
      const entry = { actor, action: 'trigger.fire', resource: encodeId('trg', id), project };
      await recordDecision(tx, { ...entry, detail: { firing: firing.number } });
      return toResponse(await tx.triggerFiring.findUniqueOrThrow({ where: { id: firing.id } }));
    },
  };
}
export type FiringStore = ReturnType<typeof createFiringStore>;
