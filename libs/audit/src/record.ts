import { signals } from '@millwright/telemetry';
import { newId, type Database, type Prisma, type Tx } from '@millwright/db';

/** Who acts: the accountable person, and the surface they act through. */
export interface Actor {
  /** A real user's UUID. */
  userId: string;
  kind: 'user' | 'job' | 'mcp';
  /** The user's, job's or MCP server's name. */
  label: string;
  requestId?: string | undefined;
  ip?: string | undefined;
}

export interface AuditEntry {
  actor: Actor;
  /** `<kind>.<verb>`: `skill.create`. */
  action: string;
  /** The record acted on, as its area names it. */
  resource: string;
  project?: string | undefined;
  detail?: Prisma.InputJsonObject;
}

/** Records an allowed action in the transaction of the change: without the row there is no change. */
export async function recordDecision(tx: Tx, entry: AuditEntry): Promise<void> {
  await told('allow', tx.$executeRawUnsafe(INSERT, ...rowOf(entry, 'allow', null)));
}

/** Records an allowed action that changes nothing here, such as a call of another's tool. It is committed when this resolves, and the action comes after. */
export async function recordAction(db: Database, entry: AuditEntry): Promise<void> {
  await told('allow', db.prepared('record-decision', INSERT, rowOf(entry, 'allow', null)));
}

/** Records an attempt of a known user that was refused. There is no change to share a transaction with. */
export async function recordDenial(db: Database, entry: AuditEntry, reason: string): Promise<void> {
  await told('deny', db.prepared('record-decision', INSERT, rowOf(entry, 'deny', reason)));
}

const INSERT = `
  INSERT INTO governance_decisions
    (id, user_id, actor_kind, actor_id, action, resource, project, decision, reason, request_id, ip, detail)
  VALUES ($1::uuid, $2::uuid, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb)`;

const rowOf = (
  { actor, action, resource, project, detail = {} }: AuditEntry,
  decision: 'allow' | 'deny',
  reason: string | null,
): unknown[] => [
  ...[newId(), actor.userId, actor.kind, actor.label, action, resource, project ?? null],
  ...[decision, reason, actor.requestId ?? null, actor.ip ?? null, JSON.stringify(detail)],
];

async function told(decision: 'allow' | 'deny', written: PromiseLike<unknown>): Promise<void> {
  await written.then(
    () => signals.auditWrite.tell({ decision, outcome: 'written' }),
    (error: unknown) => {
      signals.auditWrite.tell({ decision, outcome: 'failed' });
      throw error;
    },
  );
}
