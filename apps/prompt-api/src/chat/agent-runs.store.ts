import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, newId, storableText, type Database, type Tx } from '@millwright/db';
import type { ModelUsage } from '@millwright/models';
import type { HistoryMessage } from '../runs/fit-history.js';

/** An agent's answer with the usage of its whole run. */
export interface AgentAnswer {
  text: string;
  usage: ModelUsage;
}

/** Writes the conversations of agents that clients name as their model. Their processes belong to the runtime API. */
export function createAgentRunStore(db: Database) {
  return {
    /** Begins a conversation with the client's messages, of which the last is the user's. */
    async begin(
      tx: Tx,
      caller: Caller,
      agent: RunnableAgent,
      messages: readonly HistoryMessage[],
    ): Promise<{ contextId: string; messageId: string }> {
      const { project, actor } = caller;
      const contextId = newId();
      const rows = messages.map(({ role, content }, index) => ({
        id: newId(),
        context_id: contextId,
        seq: index + 1,
        role,
        content: storableText(content),
      }));
      await tx.context.createMany({ data: [{ id: contextId, project, agent_id: agent.id, user_id: actor.userId }] });
      await tx.contextMessage.createMany({ data: rows });
      const resource = encodeId('ctx', contextId);
      await recordDecision(tx, { ...caller, action: 'agent.message', resource, detail: { agent: agent.slug } });
      return { contextId, messageId: rows.at(-1)?.id ?? '' };
    },

    /** The answer of a completed run; `undefined` when its content was removed. */
    async answerOf(runId: string): Promise<AgentAnswer | undefined> {
      const [row] = await db.prepared<{ text: string; input: number; output: number }>(
        'read-answer-of-agent-run',
        `SELECT output AS text, prompt_tokens::float8 AS input, completion_tokens::float8 AS output
           FROM runs WHERE id = $1::uuid AND output IS NOT NULL`,
        [runId],
      );
      if (!row) return undefined;
      const { text, input, output } = row;
      return {
        text,
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      };
    },
  };
}
export type AgentRunStore = ReturnType<typeof createAgentRunStore>;
