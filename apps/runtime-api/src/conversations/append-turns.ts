import { newId, Prisma, storableText, type Tx } from '@millwright/db';
import { imageColumns } from '@millwright/runs/message-images';
import type { Turn } from './turn.js';

/** A turn as it was stored. */
export interface AppendedTurn {
  id: string;
  /** Position of the turn in the context. */
  seq: number;
  created_at: Date;
}

/** A context that is created together with its first turn. */
export interface NewContext {
  id: string;
  project: string;
  agentId: string | null;
  userId: string;
}

/** The run that writes the turns. */
export interface TurnAuthor {
  /** Row id of the user's message that the run answers. */
  messageId: string;
  model: string;
}

/**
 * SQL that inserts turns after the position `before` of a context. The statement must define a CTE `context (id)` that creates or updates the
 * context.
 */
const insertTurns = (turns: readonly Turn[], author: TurnAuthor | undefined, before: Prisma.Sql): Prisma.Sql => {
  const rows = turns.map(({ role, content, toolCalls, callId, failed, untrusted, source, images = [] }, index) => ({
    ...{ id: newId(), place: index + 1, role, content: storableText(content) },
    ...{ tool_calls: toolCalls, call_id: callId, failed, untrusted, source, ...imageColumns(images) },
    answers_to: author?.messageId,
    model: role === 'assistant' ? author?.model : undefined,
  }));
  return Prisma.sql`
    INSERT INTO context_messages (id, context_id, seq, answers_to, role, content, tool_calls, call_id, failed, untrusted, source, images, image_bytes, model)
    SELECT t.id, c.id, ${before} + t.place, t.answers_to, t.role, t.content, t.tool_calls, t.call_id, t.failed, t.untrusted, t.source, t.images, t.image_bytes, t.model
      FROM context c, json_to_recordset(${JSON.stringify(rows)}::json) AS t (
           id uuid, place int, answers_to uuid, role text, content text, tool_calls json, call_id text, failed boolean, untrusted boolean, source text, images json, image_bytes int, model text)
    RETURNING id, seq, created_at`;
};

/**
 * Appends turns, in one statement, to a context that the transaction has locked. `author` is the run that wrote the turns. The user's turns have no
 * author.
 *
 * @returns the stored turns in their order
 */
export async function appendTurns(
  tx: Tx,
  contextId: string,
  turns: readonly Turn[],
  author?: TurnAuthor,
): Promise<AppendedTurn[]> {
  const last = Prisma.sql`coalesce((SELECT max(seq) FROM context_messages WHERE context_id = ${contextId}::uuid), 0)`;
  const rows = await tx.$queryRaw<AppendedTurn[]>`
    WITH context AS (UPDATE contexts SET updated_at = now() WHERE id = ${contextId}::uuid RETURNING id)
    ${insertTurns(turns, author, last)}`;
  return rows.sort((a, b) => a.seq - b.seq);
}

/** Creates a context with its first turn, in one statement. Returns `undefined` when a context with this id already exists. */
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
