import { encodeId } from '@millwright/db';
import { awaitsOutcome } from '@millwright/runs';
import pg from 'pg';

/** A change of a run's state or worker, with the lease that its worker had before. */
export interface Change {
  run: string;
  attempt: number;
  state: string;
  was_state: string;
  was_until: Date | null;
  waiting_for: string | null;
  at: Date;
}

const OWN_NAME = 'campaign';

/** Records every change of a run's state or worker, in the transaction of the change. */
const RECORDER = `
  CREATE TABLE campaign_changes (run uuid, attempt int, state text, was_state text, was_until timestamptz, waiting_for text, at timestamptz);
  CREATE FUNCTION campaign_note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
  BEGIN
    INSERT INTO campaign_changes VALUES (NEW.id, NEW.attempt, NEW.state, OLD.state, OLD.lease_until, NEW.waiting_for, clock_timestamp());
    RETURN NULL;
  END $$;
  CREATE TRIGGER campaign_note AFTER UPDATE ON runs FOR EACH ROW
    WHEN (OLD.state <> NEW.state OR OLD.attempt <> NEW.attempt) EXECUTE FUNCTION campaign_note();`;

export interface StepRow {
  run: string;
  seq: number;
  attempt: number;
  run_attempt: number;
  kind: 'model' | 'tool';
  outcome: string;
  tool: string | null;
  idempotency_key: string | null;
  result: string | null;
}

export interface ApprovalRow {
  run: string;
  state: string;
  /** The arguments as JSON: the model's arguments (`arguments`), the arguments that a person entered, and the arguments that were sent. */
  arguments: string;
  edited: string | null;
  sent: string | null;
  key: string | null;
}

export interface MessageRow {
  context_id: string;
  role: string;
  content: string;
  calls: number;
}

/** Reads the stored records directly from the database. */
export async function openRunRecords(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 4, application_name: OWN_NAME });
  // The campaign cuts connections, which must not end this process.
  pool.on('error', () => undefined);
  await pool.query(RECORDER);

  async function read<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await pool.query<Row>(text, values)).rows;
  }

  return {
    read,
    changes: () => read<Change>('SELECT * FROM campaign_changes ORDER BY at'),

    /** Returns the runs that wait for a person's decision, each with the steps whose outcome is unknown. */
    undecided: () =>
      read<{ run: string; seq: number; key: string }>(
        `SELECT r.id AS run, s.seq, s.idempotency_key AS key FROM runs r JOIN run_steps s ON s.run_id = r.id
          WHERE ${awaitsOutcome('r', 's')}`,
      ),

    /** Returns the calls that wait for approval in waiting runs. */
    pendingApprovals: () =>
      read<{ id: string; run: string; arguments: string }>(
        `SELECT a.id, a.run_id AS run, a.arguments FROM approvals a JOIN runs r ON r.id = a.run_id
          WHERE a.state = 'pending' AND r.state = 'waiting' AND r.waiting_for = 'approval'`,
      ),

    /** Returns all approvals, each with the step of its call if the call has a step. */
    approvals: () =>
      read<ApprovalRow>(
        `SELECT a.run_id AS run, a.state, a.arguments, a.edited_arguments AS edited, s.arguments AS sent, s.idempotency_key AS key
           FROM approvals a LEFT JOIN run_steps s ON s.run_id = a.run_id AND s.asked_by = a.asked_by AND s.call_id = a.call_id`,
      ),

    /** Returns how often runs waited, by the reason of the wait. */
    async waits(): Promise<Record<string, number>> {
      const rows = await read<{ reason: string; n: number }>(
        `SELECT data->>'waiting_for' AS reason, count(*)::int AS n FROM run_events WHERE type = 'run.waiting' GROUP BY 1 ORDER BY 1`,
      );
      return Object.fromEntries(rows.map(({ reason, n }) => [reason, n]));
    },

    async unfinished(): Promise<number> {
      const [row] = await read<{ n: string }>('SELECT count(*) AS n FROM runs WHERE ended_at IS NULL');
      return Number(row?.n);
    },

    /** The number of runs that other runs have started. */
    async children(): Promise<number> {
      const [row] = await read<{ n: string }>('SELECT count(*) AS n FROM runs WHERE parent_id IS NOT NULL');
      return Number(row?.n);
    },

    steps: () =>
      read<StepRow>(
        `SELECT s.run_id AS run, s.seq, s.attempt, r.attempt AS run_attempt, s.kind, s.outcome, s.tool, s.idempotency_key, s.result
           FROM run_steps s JOIN runs r ON r.id = s.run_id ORDER BY s.run_id, s.seq`,
      ),

    /** The latest runs, in the form of the API. */
    async recentRuns(limit: number): Promise<string[]> {
      const rows = await read<{ id: string }>('SELECT id FROM runs ORDER BY id DESC LIMIT $1', [limit]);
      return rows.map(({ id }) => encodeId('run', id));
    },

    /** The events that the followers of a run must receive, in order. */
    events: (run: string) =>
      read<{ seq: number; type: string; data: unknown }>(
        'SELECT seq, type, data FROM run_events WHERE run_id = $1 ORDER BY seq',
        [run],
      ),

    /** The messages of all conversations, in order. */
    messages: () =>
      read<MessageRow>(
        `SELECT context_id, role, content, coalesce(json_array_length(tool_calls), 0) AS calls
           FROM context_messages ORDER BY context_id, seq`,
      ),

    /** Expires the leases of some executing runs, like a jump of the database's clock. @returns their number */
    async moveLeases(): Promise<number> {
      const { rowCount } = await pool.query(
        `UPDATE runs SET lease_until = now() - interval '1 second' WHERE id IN (
           SELECT id FROM runs WHERE state = 'running' ORDER BY random() LIMIT 4 FOR UPDATE SKIP LOCKED)`,
      );
      return rowCount ?? 0;
    },

    /** Cuts the connections of all services to the database. */
    cutConnections: () =>
      read(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name <> $1`,
        [OWN_NAME],
      ),

    close: () => pool.end(),
  };
}
export type RunRecords = Awaited<ReturnType<typeof openRunRecords>>;
