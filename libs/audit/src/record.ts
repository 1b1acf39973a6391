import { hash } from 'node:crypto';
import { telemetryEvents } from '@millwright/telemetry';
import { newId, Prisma, type Database, type Tx } from '@millwright/db';

/** Who acts: the accountable user, and the kind and name of the user, job or MCP server that acts for this user. */
export interface Actor {
  /** UUID of a real user. */
  userId: string;
  kind: 'user' | 'job' | 'mcp';
  /** Name of the user, job or MCP server. */
  label: string;
  requestId?: string | undefined;
  ip?: string | undefined;
  /**
   * Origin of an action: host and user of an action without a request, or the actors of a delegated credential. It is
   * added to the detail of each row.
   */
  origin?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

export interface AuditEntry {
  actor: Actor;
  /** `<kind>.<verb>`, such as `skill.create`. */
  action: string;
  /** Id of the record, in the format of its service. */
  resource: string;
  project?: string | undefined;
  detail?: Prisma.InputJsonObject;
}

/** Writes the audit row of an allowed action in the transaction of its change, so that no change is stored without its row. */
export async function recordDecision(tx: Tx, entry: AuditEntry): Promise<void> {
  await countWrite('allow', tx.$executeRaw(insert(entry, 'allow', null)));
}

/**
 * Writes the audit row of an allowed action in the same statement as its change. `send` gets the SQL that inserts the row, and sends a
 * statement that contains this SQL, such as `WITH decision AS (…)`.
 */
export async function recordDecisionWith<Result>(
  entry: AuditEntry,
  send: (insertion: Prisma.Sql) => Promise<Result>,
): Promise<Result> {
  const sent = send(insert(entry, 'allow', null));
  await countWrite('allow', sent);
  return sent;
}

/**
 * Writes and commits the audit row of an allowed action that changes no record, such as a tool call. Start the action after this promise
 * resolves.
 */
export async function recordAction(db: Database, entry: AuditEntry): Promise<void> {
  await countWrite('allow', insertNow(db, insert(entry, 'allow', null)));
}

/** Writes the audit row of a refused attempt of a known user, in a transaction without a change. */
export async function recordDenial(db: Database, entry: AuditEntry, reason: string): Promise<void> {
  await countWrite('deny', insertNow(db, insert(entry, 'deny', reason)));
}

/** Writes the audit row of a refused attempt of a known user in the transaction of the caller, which decides whether the row is written. */
export async function recordDenialIn(tx: Tx, entry: AuditEntry, reason: string): Promise<void> {
  await countWrite('deny', tx.$executeRaw(insert(entry, 'deny', reason)));
}

/**
 * Writes an audit row like `recordDenial`, but at most one row per calendar minute for an account, action and reason,
 * over all processes. Use it for attempts that can be repeated without limit.
 */
export async function recordSampledDenial(
  db: Database,
  entry: AuditEntry,
  reason: string,
  now = Date.now(),
): Promise<void> {
  const id = sampleId([entry.actor.userId, entry.action, reason, String(Math.floor(now / 60_000))]);
  const { text, values } =
    Prisma.sql`${insertColumns} VALUES (${valuesOf(entry, 'deny', reason, id)}) ON CONFLICT DO NOTHING`;
  await countWrite('deny', db.prepared('record-sampled-denial', text, values));
}

/**
 * Writes an audit row like `recordSampledDenial`, for an unauthenticated attempt: the detail has `by: 'stranger'`, because the account did
 * not act.
 */
export function recordStrangerDenial(db: Database, entry: AuditEntry, reason: string, now?: number): Promise<void> {
  return recordSampledDenial(db, { ...entry, detail: { ...entry.detail, by: 'stranger' } }, reason, now);
}

/** Returns a UUID derived from the parts: equal parts have equal UUIDs (RFC 9562 §5.8). */
function sampleId(parts: readonly string[]): string {
  const hex = hash('sha256', JSON.stringify(parts));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const insertColumns = Prisma.sql`INSERT INTO governance_decisions
    (id, user_id, actor_kind, actor_id, action, resource, project, decision, reason, request_id, ip, detail)`;

const valuesOf = (
  { actor, action, resource, project, detail = {} }: AuditEntry,
  decision: 'allow' | 'deny',
  reason: string | null,
  id = newId(),
) => Prisma.sql`${id}::uuid, ${actor.userId}::uuid, ${actor.kind}::text, ${actor.label}::text, ${action}::text, ${resource}::text,
    ${project ?? null}::text, ${decision}::text, ${reason}::text, ${actor.requestId ?? null}::text, ${actor.ip ?? null}::text,
    ${JSON.stringify({ ...detail, ...actor.origin })}::jsonb`;

const insert = (entry: AuditEntry, decision: 'allow' | 'deny', reason: string | null) =>
  Prisma.sql`${insertColumns} VALUES (${valuesOf(entry, decision, reason)})`;

/** Records an entry outside of a transaction, with a prepared statement. */
const insertNow = (db: Database, { text, values }: Prisma.Sql) => db.prepared('record-decision', text, values);

async function countWrite(decision: 'allow' | 'deny', written: PromiseLike<unknown>): Promise<void> {
  await written.then(
    () => telemetryEvents.auditWrite.record({ decision, outcome: 'written' }),
    (error: unknown) => {
      telemetryEvents.auditWrite.record({ decision, outcome: 'failed' });
      throw error;
    },
  );
}
