import type { Caller } from '@millwright/auth';
import { decodeId, encodeId, type Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { readerOf } from '@millwright/runs';
import { idsOfTree, pendingOfTree } from '@millwright/runs/approvals';
import {
  MOST_NEEDED,
  type Approval,
  type ApprovalListQuery,
  type ApprovalPage,
  type RunApprovalsQuery,
} from './approvals.contract.js';

interface ApprovalRow {
  id: string;
  run_id: string;
  state: Approval['state'];
  agent: string;
  agent_version: number | null;
  owner: string;
  owner_name: string;
  tool: string;
  call_id: string;
  asked_by: number;
  arguments: string;
  parameters: unknown;
  tainted_by: string[];
  user_id: string;
  user_name: string;
  other_decider: boolean;
  edited_arguments: string | null;
  reason: string | null;
  decider_id: string | null;
  decider_name: string | null;
  decided_at: Date | null;
  expires_at: Date;
  created_at: Date;
  is_open: boolean;
}

/** SQL for the state of an approval. A pending approval of a run that has ended is `canceled`. */
const STATE = `CASE WHEN a.state = 'pending' AND r.ended_at IS NOT NULL THEN 'canceled' ELSE a.state END`;

const SELECT = `
  SELECT a.id, a.run_id, ${STATE} AS state, a.agent, a.agent_version, a.owner, a.owner_name, a.tool, a.call_id, a.asked_by,
         a.arguments, a.parameters, a.tainted_by, a.user_id, u.name AS user_name, a.other_decider, a.edited_arguments, a.reason,
         a.decided_by AS decider_id, d.name AS decider_name, a.decided_at, a.expires_at, a.created_at,
         a.state = 'pending' AND r.state = 'waiting' AND r.waiting_for = 'approval' AND a.expires_at > now() AS is_open
    FROM approvals a JOIN runs r ON r.id = a.run_id JOIN users u ON u.id = a.user_id LEFT JOIN users d ON d.id = a.decided_by`;

function toApproval(row: ApprovalRow, { actor, scopes }: Caller): Approval {
  const { state, tool, call_id, parameters, tainted_by, other_decider, edited_arguments, reason } = row;
  const isAllowed = scopes?.has('runs:approve') === true && !(other_decider && row.user_id === actor.userId);
  return {
    id: encodeId('apr', row.id),
    run_id: encodeId('run', row.run_id),
    ...{ state, tool, call_id, parameters, tainted_by, other_decider, edited_arguments, reason },
    agent: { name: row.agent, version: row.agent_version },
    server: { id: row.owner, name: row.owner_name },
    step: row.asked_by,
    arguments: row.arguments,
    requester: { id: encodeId('usr', row.user_id), name: row.user_name },
    may_decide: row.is_open && isAllowed,
    decided_by: row.decider_id === null ? null : { id: encodeId('usr', row.decider_id), name: row.decider_name ?? '' },
    decided_at: row.decided_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
  };
}

interface Listed {
  items: Approval[];
  next_cursor: string | null;
}

/** Reads approvals for callers. A caller may read the approvals of own runs, and with `runs:read_all` those of all runs of the project. */
export function createApprovalQueries(db: Database) {
  async function page(
    caller: Caller,
    name: string,
    conditions: readonly string[],
    values: readonly unknown[],
    { limit, cursor }: ApprovalPage,
  ): Promise<Listed> {
    const before = cursor === undefined ? null : decodeId('apr', cursor);
    if (before === undefined) throw invalidField('cursor', 'is not a cursor of this list');
    const { project, userId } = readerOf(caller);
    const mine = userId === undefined ? 'a.project = $1' : 'a.project = $1 AND a.user_id = $2';
    const given = userId === undefined ? [project] : [project, userId];
    const all = [...given, ...values, before, limit + 1];
    const own = [mine, ...conditions.map((text) => text.replaceAll('?', `$${given.length + 1}`))];
    const rows = await db.prepared<ApprovalRow>(
      `${name}-${userId === undefined ? 'all' : 'own'}`,
      `${SELECT} WHERE ${own.join(' AND ')} AND ($${all.length - 1}::uuid IS NULL OR a.id < $${all.length - 1}::uuid)
        ORDER BY a.id DESC LIMIT $${all.length}`,
      all,
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1)?.id;
    return {
      items: shown.map((row) => toApproval(row, caller)),
      next_cursor: rows.length > limit && last !== undefined ? encodeId('apr', last) : null,
    };
  }

  return {
    /** Lists the approvals that the caller may read, latest first. @throws AppError validation_error for an invalid cursor */
    list(caller: Caller, { state, ...query }: ApprovalListQuery): Promise<Listed> {
      if (state === 'pending')
        return page(caller, 'list-pending-approvals', [`a.state = 'pending' AND r.ended_at IS NULL`], [], query);
      if (state === 'canceled')
        return page(caller, 'list-canceled-approvals', [`a.state = 'pending' AND r.ended_at IS NOT NULL`], [], query);
      return page(caller, 'list-approvals', ['a.state = ?'], [state], query);
    },

    /** Lists the latest calls that wait for a decision in a run of the caller or in one of its descendants. */
    async listNeeded(caller: Caller, uuid: string): Promise<Approval[]> {
      const isNeeded = `a.id IN (SELECT a.id FROM ${pendingOfTree('?::uuid')})`;
      const { items } = await page(caller, 'list-needed-approvals', [isNeeded], [uuid], { limit: MOST_NEEDED });
      return items;
    },

    /**
     * Lists the approvals of a run, latest first.
     * @throws AppError not_found for a run that the caller may not read; validation_error for an invalid cursor
     */
    async listOfRun(caller: Caller, runId: string, { below, ...query }: RunApprovalsQuery): Promise<Listed> {
      const uuid = decodeId('run', runId);
      const { project, userId } = readerOf(caller);
      const [run] =
        uuid === undefined
          ? []
          : await db.prepared(
              'find-run-of-approvals',
              'SELECT 1 FROM runs WHERE id = $1 AND project = $2 AND ($3::uuid IS NULL OR user_id = $3::uuid)',
              [uuid, project, userId],
            );
      if (!run) throw new AppError('not_found');
      if (below === 'false') return page(caller, 'list-run-approvals', ['a.run_id = ?'], [uuid], query);
      const inTree = `a.run_id = ANY(ARRAY${idsOfTree('?::uuid')})`;
      return page(caller, 'list-tree-approvals', [inTree], [uuid], query);
    },
  };
}
export type ApprovalQueries = ReturnType<typeof createApprovalQueries>;
