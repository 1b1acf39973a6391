import type { Database } from '@millwright/db';
import type { RunStatus } from './run.js';
import { waitData } from './steps.store.js';

/** Limit of the descendants of a run that one statement reads. */
const MOST_BELOW = 1_000;

/**
 * SQL of the ids of a run and all its descendants. The number of levels is limited by the depth of calls between
 * agents.
 */
export const idsOfTree = (id: string): string => `(
  WITH RECURSIVE tree AS (
    SELECT id FROM runs WHERE id = ${id}
     UNION ALL SELECT c.id FROM tree t JOIN runs c ON c.parent_id = t.id)
  SELECT id FROM tree LIMIT ${MOST_BELOW})`;

/** SQL of the waiting descendants of a run. Descendants below an ended run are left out. */
const waitingBelow = (id: string): string => `(
  WITH RECURSIVE below AS (
    SELECT id FROM runs WHERE parent_id = ${id} AND state = 'waiting'
     UNION ALL SELECT c.id FROM below b JOIN runs c ON c.parent_id = b.id AND c.state = 'waiting')
  SELECT id FROM below LIMIT ${MOST_BELOW})`;

const PENDING = "a.state = 'pending' AND a.expires_at > now()";

/** SQL of the pending approvals, as `a`, of a waiting run and its waiting descendants. */
export const pendingOfTree = (id: string): string =>
  `approvals a WHERE (a.run_id = ${id} OR a.run_id = ANY(ARRAY${waitingBelow(id)})) AND ${PENDING}`;

/** SQL condition that a call of a descendant of this run waits for a decision. */
export const hasPendingBelow = (id: string): string =>
  `EXISTS (SELECT FROM approvals a WHERE a.run_id = ANY(ARRAY${waitingBelow(id)}) AND ${PENDING})`;

/** SQL of the waits for accounts, as `w`, of a run and of the waiting runs below it. */
const connectionsOfTree = (id: string): string =>
  `runs w WHERE w.waiting_for = 'connection' AND (w.id = ${id} OR w.id = ANY(ARRAY${waitingBelow(id)}))`;

/** SQL condition that a descendant of this run waits for an account of its user. */
export const hasConnectionBelow = (id: string): string =>
  `EXISTS (SELECT FROM runs w WHERE w.waiting_for = 'connection' AND w.id = ANY(ARRAY${waitingBelow(id)}))`;

/** SQL for the account for which a run or one of its descendants waits: `server`, `name` and `url`. */
export const connectionOfTree = (id: string): string =>
  `(SELECT ${waitData('w')} FROM ${connectionsOfTree(id)} ORDER BY w.id LIMIT 1)`;

/** Limit of the accounts that one answer lists. */
const MOST_CONNECTIONS = 25;

/** An account that a run waits for. */
export interface AwaitedConnection {
  /** Row id of the run. */
  runId: string;
  /** Id of the MCP server in the form of the API. */
  server: string;
  name: string;
  /** Address at which the run's user connects the account. */
  url: string;
}

/** Reads runs together with their descendants, which agents start by calling other agents. */
export function createRunTree(db: Database) {
  return {
    /** Lists the ancestors of a run, the nearest one first. */
    async listAbove(id: string): Promise<string[]> {
      const rows = await db.prepared<{ id: string }>(
        'list-runs-above-run',
        `WITH RECURSIVE above AS (
           SELECT parent_id FROM runs WHERE id = $1
            UNION ALL SELECT r.parent_id FROM above a JOIN runs r ON r.id = a.parent_id)
         SELECT parent_id AS id FROM above WHERE parent_id IS NOT NULL`,
        [id],
      );
      return rows.map((row) => row.id);
    },

    /** Lists the accounts that a run and the waiting runs below it wait for. */
    listConnections: (id: string): Promise<AwaitedConnection[]> =>
      db.prepared<AwaitedConnection>(
        'list-connections-of-tree',
        `SELECT "runId", data ->> 'server' AS server, data ->> 'name' AS name, data ->> 'url' AS url
           FROM (SELECT w.id AS "runId", ${waitData('w')} AS data FROM ${connectionsOfTree('$1')}
                  ORDER BY w.id LIMIT ${MOST_CONNECTIONS}) waits`,
        [id],
      ),

    /**
     * Whether a run waits for something other than the work of processes: the run itself waits, a call of a descendant
     * waits for a decision, or every unfinished descendant waits.
     */
    async waitsForOthers({ id, state, waitingFor }: Pick<RunStatus, 'id' | 'state' | 'waitingFor'>): Promise<boolean> {
      if (state !== 'waiting') return false;
      if (waitingFor !== 'child') return true;
      const [row] = await db.prepared<{ waits: boolean }>(
        'find-wait-below-run',
        `WITH RECURSIVE below AS (
           SELECT id, state, waiting_for FROM runs WHERE parent_id = $1 AND state IN ('queued', 'running', 'waiting')
            UNION ALL
           SELECT c.id, c.state, c.waiting_for FROM below b
             JOIN runs c ON c.parent_id = b.id AND c.state IN ('queued', 'running', 'waiting'))
         SELECT ${hasPendingBelow('$1')} OR coalesce(bool_and(state = 'waiting') AND bool_or(waiting_for NOT IN ('child', 'approval')), false)
                AS waits
           FROM (SELECT state, waiting_for FROM below LIMIT ${MOST_BELOW}) few`,
        [id],
      );
      return row?.waits ?? false;
    },
  };
}
