import type { Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import type { RunnableAgent } from '@millwright/catalog';
import { decodeId, encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ModelAnswer } from '@millwright/models';
import type { AgentMessage } from './messages.contract.js';

export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/** A context with the user's new message in it, and what was said before. */
export interface OpenedContext {
  id: string;
  history: Turn[];
}

/** Turns of a context that a run reads at most. */
const HISTORY_TURNS = 200;

/** The only file that reads and writes contexts. A context belongs to one user and one agent: to anyone else it does not exist. */
export function createContextStore(db: Database) {
  async function requireContext(
    tx: Tx,
    { project, actor }: Caller,
    agent: RunnableAgent,
    contextId: string,
  ): Promise<string> {
    const id = decodeId('ctx', contextId);
    const rows = id
      ? await tx.$queryRaw<{ id: string }[]>`
          SELECT id FROM contexts WHERE id = ${id}::uuid AND project = ${project}
             AND agent_id = ${agent.id}::uuid AND user_id = ${actor.userId}::uuid FOR UPDATE`
      : [];
    if (!rows[0]) throw new AppError('not_found');
    return rows[0].id;
  }

  async function append(tx: Tx, contextId: string, turn: Turn & { model?: string }) {
    const last = await tx.contextMessage.aggregate({ where: { context_id: contextId }, _max: { seq: true } });
    await tx.context.update({ where: { id: contextId }, data: { updated_at: new Date() } });
    return tx.contextMessage.create({
      data: { ...turn, id: newId(), context_id: contextId, seq: (last._max.seq ?? 0) + 1 },
    });
  }

  return {
    /**
     * Keeps the user's message before the model is asked, so that it is not lost when the model cannot answer. Sending the same
     * message again while it is the last, unanswered one does not keep it twice.
     *
     * @throws AppError not_found for a context that is not this user's with this agent.
     */
    open(caller: Caller, agent: RunnableAgent, content: string, contextId: string | undefined): Promise<OpenedContext> {
      return db.transaction(async (tx) => {
        const { project, actor } = caller;
        const id = contextId === undefined ? newId() : await requireContext(tx, caller, agent, contextId);
        if (contextId === undefined) {
          await tx.context.create({ data: { id, project, agent_id: agent.id, user_id: actor.userId } });
        }
        const recent = await tx.contextMessage.findMany({
          where: { context_id: id },
          orderBy: { seq: 'desc' },
          take: HISTORY_TURNS,
          select: { role: true, content: true },
        });
        const history = recent
          .reverse()
          .map((row): Turn => ({ role: row.role === 'user' ? 'user' : 'assistant', content: row.content }));
        const last = history.at(-1);
        const repeated = last?.role === 'user' && last.content === content;
        if (repeated) history.pop();
        else await append(tx, id, { role: 'user', content });
        const resource = encodeId('ctx', id);
        await recordDecision(tx, { ...caller, action: 'agent.message', resource, detail: { agent: agent.slug } });
        return { id, history };
      });
    },

    /**
     * Stores the answer and what it used.
     *
     * @throws AppError not_found when the agent, and its contexts with it, was deleted while the model worked.
     */
    async answer(
      tx: Tx,
      { project, actor }: Caller,
      agent: RunnableAgent,
      contextId: string,
      answer: ModelAnswer,
    ): Promise<AgentMessage> {
      const held = await tx.$queryRaw<
        { id: string }[]
      >`SELECT id FROM contexts WHERE id = ${contextId}::uuid FOR UPDATE`;
      if (held.length === 0) throw new AppError('not_found');
      const row = await append(tx, contextId, { role: 'assistant', content: answer.text, model: answer.model });
      await tx.usageEvent.create({
        data: {
          id: newId(),
          project,
          user_id: actor.userId,
          kind: 'agent_message',
          subject_id: agent.id,
          model: answer.model,
          prompt_tokens: answer.usage.prompt_tokens,
          completion_tokens: answer.usage.completion_tokens,
          cost_usd: answer.costUsd,
        },
      });
      return {
        id: encodeId('msg', row.id),
        content: row.content,
        agent: agent.slug,
        timestamp: row.created_at.toISOString(),
        context_id: encodeId('ctx', contextId),
      };
    },
  };
}
export type ContextStore = ReturnType<typeof createContextStore>;
