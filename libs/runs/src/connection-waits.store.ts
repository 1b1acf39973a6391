import type { Database, Tx } from '@millwright/db';

/** Maximum number of a user's runs that wait for accounts. */
const MOST_WAITING = 1_000;
/** Maximum number of runs that one poll continues. */
const MOST_AT_ONCE = 20;

/**
 * Selects runs that may continue. One of these is true: the user has connected an account since the run was last taken, the time limit has
 * passed, the server no longer requires accounts of users, or the run no longer waits.
 */
const CONTINUABLE = `
  SELECT t.run_id FROM connection_waits t JOIN runs r ON r.id = t.run_id LEFT JOIN mcp_servers s ON s.id = t.server_id
    LEFT JOIN mcp_connections c ON c.server_id = t.server_id AND c.user_id = r.user_id
   WHERE r.waiting_for IS DISTINCT FROM 'connection' OR c.created_at >= t.since OR t.expires_at <= now()
      OR s.id IS NULL OR s.status = 'inactive' OR s.auth ->> 'type' <> 'user' ORDER BY t.run_id LIMIT ${MOST_AT_ONCE}`;

/** A call of a tool for which the user of the run has to connect an account first. */
export interface UnconnectedCall {
  runId: string;
  /** Number of the step that makes the call. */
  step: number;
  /** Row id of the MCP server. */
  serverId: string;
}

/** Store of the runs that wait until their users connect accounts. */
export function createConnectionWaits(db: Database) {
  return {
    /**
     * Time until which the call may wait, `hours` after its start; undefined when that time has passed, or when too many runs
     * of the user wait.
     */
    async deadline(userId: string, { runId, step }: UnconnectedCall, hours: number): Promise<Date | undefined> {
      const [row] = await db.prepared<{ until: Date }>(
        'find-connection-deadline',
        `SELECT s.started_at + make_interval(hours => $4) AS until FROM run_steps s
          WHERE s.run_id = $1 AND s.seq = $2 AND s.started_at + make_interval(hours => $4) > now() AND (
            SELECT count(*) FROM (
              SELECT FROM runs WHERE user_id = $3 AND waiting_for = 'connection' LIMIT ${MOST_WAITING}) w) < ${MOST_WAITING}`,
        [runId, step, userId, hours],
      );
      return row?.until;
    },

    /** Stores the account for which a run waits, in the transaction that makes the run wait. */
    async wait(tx: Tx, { runId, serverId }: Pick<UnconnectedCall, 'runId' | 'serverId'>, until: Date): Promise<void> {
      await tx.$executeRaw`
        INSERT INTO connection_waits (run_id, server_id, since, expires_at)
        SELECT run_id, ${serverId}::uuid, at, ${until} FROM run_events
         WHERE run_id = ${runId}::uuid AND type = 'run.running' ORDER BY seq DESC LIMIT 1
        ON CONFLICT (run_id) DO UPDATE SET server_id = excluded.server_id, since = excluded.since, expires_at = excluded.expires_at`;
    },

    /** Ends the wait of a run. */
    async endWait(tx: Tx, runId: string): Promise<void> {
      await tx.$executeRaw`DELETE FROM connection_waits WHERE run_id = ${runId}::uuid`;
    },

    /** Lists the runs whose wait may end. */
    async continuable(): Promise<string[]> {
      const rows = await db.prepared<{ run_id: string }>('list-runs-with-connection', CONTINUABLE, []);
      return rows.map(({ run_id }) => run_id);
    },

    /** Whether any run waits for an account. */
    async areWaiting(): Promise<boolean> {
      const [row] = await db.prepared<{ found: boolean }>(
        'find-connection-waits',
        'SELECT EXISTS (SELECT FROM connection_waits) AS found',
        [],
      );
      return row?.found ?? false;
    },
  };
}
export type ConnectionWaits = ReturnType<typeof createConnectionWaits>;
