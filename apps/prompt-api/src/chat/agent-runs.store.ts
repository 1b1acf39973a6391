import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, newId, storableText, type Database, type Tx } from '@millwright/db';
import type { ModelUsage } from '@millwright/models';
import type { RunReader } from '@millwright/runs';
import { imageColumns, type NewImage } from '@millwright/runs/message-images';
import type { AgentMessage } from './agent-messages.js';

/** An agent's answer with the usage of its whole run. */
export interface AgentAnswer {
  text: string;
  usage: ModelUsage;
}

interface AnswerRow {
  text: string;
  input: number;
  output: number;
}

const USAGE = 'prompt_tokens::float8 AS input, completion_tokens::float8 AS output';

const usageOf = ({ input, output }: Omit<AnswerRow, 'text'>): ModelUsage => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** Prisma takes JSON without methods only. */
const asColumns = (images: readonly NewImage[]) => {
  const { images: records, image_bytes } = imageColumns(images);
  return records ? { images: records.map((record) => ({ ...record })), image_bytes } : {};
};

/** Writes the conversations of agents that clients name as their model. Their processes belong to the runtime API. */
export function createAgentRunStore(db: Database) {
  return {
    /** Begins a conversation with the client's messages, of which the last is the user's. */
    async begin(
      tx: Tx,
      caller: Caller,
      agent: RunnableAgent,
      messages: readonly AgentMessage[],
    ): Promise<{ contextId: string; messageId: string }> {
      const { project, actor } = caller;
      const contextId = newId();
      const stored = messages.map(({ role, content, images = [] }, index) => ({
        row: {
          ...{ id: newId(), context_id: contextId, seq: index + 1, role, content: storableText(content) },
          ...asColumns(images),
        },
        images,
      }));
      const rows = stored.map(({ row }) => row);
      const images = stored.flatMap(({ row, images: own }) =>
        own.map(({ id, bytes }) => ({ id, message_id: row.id, bytes })),
      );
      await tx.context.createMany({ data: [{ id: contextId, project, agent_id: agent.id, user_id: actor.userId }] });
      await tx.contextMessage.createMany({ data: rows });
      if (images.length > 0) await tx.contextImage.createMany({ data: images });
      const resource = encodeId('ctx', contextId);
      const detail = { agent: agent.slug, ...(images.length > 0 && { images: images.length }) };
      await recordDecision(tx, { ...caller, action: 'agent.message', resource, detail });
      return { contextId, messageId: rows.at(-1)?.id ?? '' };
    },

    /** Returns the usage of a run so far. */
    async usageOf(runId: string): Promise<ModelUsage> {
      const [row] = await db.prepared<Omit<AnswerRow, 'text'>>(
        'read-usage-of-agent-run',
        `SELECT ${USAGE} FROM runs WHERE id = $1::uuid`,
        [runId],
      );
      return usageOf(row ?? { input: 0, output: 0 });
    },

    /** The run of an agent's response, by the response's uuid; `undefined` when the reader may not access the run. */
    async runOfResponse(
      { project, userId }: RunReader,
      agentId: string,
      response: string,
    ): Promise<string | undefined> {
      const [row] = await db.prepared<{ id: string }>(
        'find-run-of-agent-response',
        `WITH RECURSIVE above AS (
           SELECT id, parent_id FROM runs WHERE id IN ($1::uuid, (SELECT run_id FROM approvals WHERE id = $1::uuid))
            UNION ALL SELECT r.id, r.parent_id FROM above a JOIN runs r ON r.id = a.parent_id)
         SELECT id FROM runs
          WHERE id = ANY(ARRAY(SELECT id FROM above)) AND project = $2 AND ($3::uuid IS NULL OR user_id = $3::uuid)
            AND subject_kind = 'agent' AND subject_id = $4::uuid AND channel = 'responses'`,
        [response, project, userId, agentId],
      );
      return row?.id;
    },

    /** Selects those of these approvals that belong to the run or to one of its descendants, with the run of each. */
    approvalsOf: (runId: string, ids: readonly string[]): Promise<{ id: string; runId: string }[]> =>
      db.prepared<{ id: string; runId: string }>(
        'find-approvals-of-agent-run',
        `WITH RECURSIVE above AS (
           SELECT id AS approval, run_id AS id FROM approvals WHERE id = ANY($2::uuid[])
            UNION ALL SELECT a.approval, r.parent_id FROM above a JOIN runs r ON r.id = a.id WHERE r.parent_id IS NOT NULL)
         SELECT p.id, p.run_id AS "runId" FROM above a JOIN approvals p ON p.id = a.approval WHERE a.id = $1`,
        [runId, ids],
      ),

    /** The answer of a completed run; `undefined` when its content was removed. */
    async answerOf(runId: string): Promise<AgentAnswer | undefined> {
      const [row] = await db.prepared<AnswerRow>(
        'read-answer-of-agent-run',
        `SELECT output AS text, ${USAGE}
           FROM runs WHERE id = $1::uuid AND output IS NOT NULL`,
        [runId],
      );
      if (!row) return undefined;
      return { text: row.text, usage: usageOf(row) };
    },
  };
}
export type AgentRunStore = ReturnType<typeof createAgentRunStore>;
