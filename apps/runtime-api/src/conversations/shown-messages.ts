import { encodeId, type Database } from '@millwright/db';
import { PAGE_BYTES } from '@millwright/records';
import type { ContextMessage } from './contexts.contract.js';
import { toImageRecord } from './context-images.store.js';
import { exchangesOf, hasFailed, toTurn, type Turn, type TurnRow } from './turn.js';

/** Limit of the turns of a conversation in one answer of the API. A limit in bytes applies too. */
const SHOWN_TURNS = 500;
const ANSWER_CHARACTERS = 2_000;

/** SQL for the number of bytes that a turn uses in an answer of the API. */
const SHOWN = `CASE m.role WHEN 'tool' THEN least(octet_length(m.content), 4 * ${ANSWER_CHARACTERS})
                 ELSE octet_length(m.content) + coalesce(octet_length(m.tool_calls::text), 0) END`;

/** Reads the last turns of a conversation that fit into one answer of the API, but at least one turn. Answers of tools are shortened. */
const SHOWN_MESSAGES = `
  SELECT m.id, m.seq, m.answers_to, m.role, CASE m.role WHEN 'tool' THEN left(m.content, ${ANSWER_CHARACTERS}) ELSE m.content END AS content,
         m.tool_calls, m.call_id, m.failed, m.untrusted, m.source, m.images, m.created_at
    FROM (SELECT l.id, sum(l.bytes) OVER (ORDER BY l.seq DESC) - l.bytes AS bytes_after
            FROM (SELECT m.id, m.seq, ${SHOWN} AS bytes FROM context_messages m
                   WHERE m.context_id = $1 AND m.replaced_by IS NULL ORDER BY m.seq DESC LIMIT ${SHOWN_TURNS}) l) fitting
    JOIN context_messages m USING (id)
   WHERE fitting.bytes_after < ${PAGE_BYTES} ORDER BY m.seq`;

interface MessageRow extends TurnRow {
  created_at: Date;
}

interface MessageRunRow extends Omit<NonNullable<ContextMessage['run']>, 'id'> {
  id: string;
  message_id: string | null;
}

/** Reads the last messages of a context with their latest runs, oldest first. */
export async function readShownMessages(db: Database, contextId: string): Promise<ContextMessage[]> {
  const rows = await db.prepared<MessageRow>('list-shown-messages', SHOWN_MESSAGES, [contextId]);
  const runs = await db.prepared<MessageRunRow>(
    'list-context-runs',
    `SELECT id, message_id, state, waiting_for, feedback FROM runs WHERE context_id = $1 ORDER BY id DESC LIMIT ${SHOWN_TURNS}`,
    [contextId],
  );
  return toMessages(rows, runs);
}

/** Converts turns to messages, each with its tool calls or its latest run. `runs` is sorted, latest first. */
function toMessages(rows: readonly MessageRow[], runs: readonly MessageRunRow[]): ContextMessage[] {
  const turns = rows.map(toTurn);
  const latest = new Map(runs.toReversed().map((run) => [run.message_id, run]));
  const failed = new Set(exchangesOf(turns).flatMap((exchange) => (hasFailed(exchange) ? exchange.slice(0, 1) : [])));
  return rows.flatMap((row, index): ContextMessage[] => {
    const turn = turns[index];
    if (!turn || turn.role === 'tool') return [];
    return [
      {
        id: encodeId('msg', row.id),
        role: turn.role,
        content: turn.content,
        timestamp: row.created_at.toISOString(),
        failed: failed.has(turn),
        images: (turn.images ?? []).map(toImageRecord),
        tools: toolsOf(turn, turns.slice(index + 1)),
        run: toMessageRun(latest.get(row.id)),
      },
    ];
  });
}

const toMessageRun = (run: MessageRunRow | undefined): ContextMessage['run'] =>
  run ? { id: encodeId('run', run.id), state: run.state, waiting_for: run.waiting_for, feedback: run.feedback } : null;

/** Finds the answers to a turn's calls. Only the answers directly after the turn count, because a later step may use the same call id. */
function toolsOf({ toolCalls = [] }: Turn, next: readonly Turn[]): ContextMessage['tools'] {
  const end = next.findIndex(({ role }) => role !== 'tool');
  const answers = new Map(next.slice(0, end === -1 ? undefined : end).map((turn) => [turn.callId, turn]));
  return toolCalls.map(({ id, name, arguments: args }) => {
    const answer = answers.get(id);
    const shown = answer?.content ?? null;
    return { id, tool: name, arguments: args, answer: shown, failed: answer?.failed ?? false };
  });
}
