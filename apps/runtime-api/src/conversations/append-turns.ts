import { newId, Prisma, storableText, type Tx } from '@millwright/db';
import type { Turn } from './turn.js';

/** A turn as it was stored. */
export interface AppendedTurn {
  id: string;
  /** Place within the context. */
  seq: number;
  created_at: Date;
}

/** A context that does not exist yet. */
export interface NewContext {
  id: string;
  project: string;
  agentId: string | null;
  userId: string;
}

/** Inserts turns after the place `before` of the context that the CTE `context (id)` changes. */
const insertTurns = (turns: readonly Turn[], model: string | undefined, before: Prisma.Sql): Prisma.Sql => {
  const rows = turns.map(({ role, content, toolCalls, callId, failed, untrusted, source }, index) => ({
    ...{ id: newId(), place: index + 1, role, content: storableText(content) },
    ...{ tool_calls: toolCalls, call_id: callId, failed, untrusted, source },
    model: role === 'assistant' ? model : undefined,
  }));
  return Prisma.sql`
    INSERT INTO context_messages (id, context_id, seq, role, content, tool_calls, call_id, failed, untrusted, source, model)
    SELECT t.id, c.id, ${before} + t.place, t.role, t.content, t.tool_calls, t.call_id, t.failed, t.untrusted, t.source, t.model
      FROM context c, json_to_recordset(${JSON.stringify(rows)}::json) AS t (
           id uuid, place int, role text, content text, tool_calls json, call_id text, failed boolean, untrusted boolean, source text, model text)
    RETURNING id, seq, created_at`;
};

/**
 * Appends turns to a context that the transaction has locked, in one statement. `model` is the author of the assistant's turns.
 *
 * @returns the stored turns in their order
 */
export async function appendTurns(
  tx: Tx,
  contextId: string,
  turns: readonly Turn[],
  model?: string,
): Promise<AppendedTurn[]> {
  const last = Prisma.sql`coalesce((SELECT max(seq) FROM context_messages WHERE context_id = ${contextId}::uuid), 0)`;
  const rows = await tx.$queryRaw<AppendedTurn[]>`
    WITH context AS (UPDATE contexts SET updated_at = now() WHERE id = ${contextId}::uuid RETURNING id)
    ${insertTurns(turns, model, last)}`;
  return rows.sort((a, b) => a.seq - b.seq);
}

/** Creates a context with its first turn, in one statement. `undefined` when a context with this id exists already. */
export async function beginContext(
  tx: Tx,
  { id, project, agentId, userId }: NewContext,
  turn: Turn,
): Promise<AppendedTurn | undefined> {
  const [row] = await tx.$queryRaw<AppendedTurn[]>`
    WITH context AS (
      INSERT INTO contexts (id, project, agent_id, user_id)
      VALUES (${id}::uuid, ${project}, ${agentId}::uuid, ${userId}::uuid) ON CONFLICT DO NOTHING RETURNING id)
    ${insertTurns([turn], undefined, Prisma.sql`0`)}`;
  return row;
}
