import type { Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import type { RunnableAgent } from '@millwright/catalog';
import { decodeId, encodeId, idFor, newId, type Database, type Prisma, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ModelAnswer } from '@millwright/models';
import { isConcierge } from '../concierge/concierge.js';
import type { AgentMessage } from './messages.contract.js';
import type { ListQuery } from '../lists/list.contract.js';
import type { Context, ContextDetail, ContextMessage } from './contexts.contract.js';
import { toTurn, type Turn } from './turn.js';

/** A context with the user's new message in it. */
export interface OpenedContext {
  id: string;
  /** What was said before that message. */
  history: Turn[];
  /** Tools' calls and answers that came after it, when an earlier run of the same message broke off. */
  begun: Turn[];
}

/** A user's message. */
export interface Said {
  content: string;
  /** The context that it belongs to; without one it begins one. */
  contextId: string | undefined;
  /** What the request and its retries have in common, and no other request: they begin the same context. */
  idempotencyKey?: string | undefined;
}

/** Turns of a context that a run reads at most. */
const HISTORY_TURNS = 200;

/** Of a conversation, what is shown of it. */
const SHOWN_TURNS = 500;
const TITLE_CHARACTERS = 120;
const ANSWER_CHARACTERS = 2_000;

interface ContextRow {
  id: string;
  title: string | null;
  created_at: Date;
  updated_at: Date;
}

/** `$1` to `$3`: whose, in which project, with which agent. */
const OWN_CONTEXTS = `
  SELECT c.id, left(m.content, ${TITLE_CHARACTERS}) AS title, c.created_at, c.updated_at
    FROM contexts c LEFT JOIN context_messages m ON m.context_id = c.id AND m.seq = 1
   WHERE c.user_id = $1 AND c.project = $2 AND c.agent_id IS NOT DISTINCT FROM $3::uuid`;

const toContext = ({ id, title, created_at, updated_at }: ContextRow): Context => ({
  id: encodeId('ctx', id),
  title: title ?? '',
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/** The built-in agent has no row. */
const rowOf = (agent: RunnableAgent): string | null => (isConcierge(agent) ? null : agent.id);

/** The only file that reads and writes contexts. A context belongs to one user and one agent: to anyone else it does not exist. */
export function createContextStore(db: Database) {
  /** Whether it is the caller's with this agent; it is held then. */
  async function isOwn(tx: Tx, { project, actor }: Caller, agent: RunnableAgent, id: string): Promise<boolean> {
    const rows = await tx.$queryRaw`
      SELECT id FROM contexts WHERE id = ${id}::uuid AND project = ${project}
         AND agent_id IS NOT DISTINCT FROM ${rowOf(agent)}::uuid AND user_id = ${actor.userId}::uuid FOR UPDATE`;
    return (rows as unknown[]).length > 0;
  }

  async function requireContext(tx: Tx, caller: Caller, agent: RunnableAgent, contextId: string): Promise<string> {
    const id = decodeId('ctx', contextId);
    if (id === undefined || !(await isOwn(tx, caller, agent, id))) throw new AppError('not_found');
    return id;
  }

  /** Whether it was there to be made. */
  async function begin(tx: Tx, { project, actor }: Caller, agent: RunnableAgent, id: string): Promise<boolean> {
    const data = [{ id, project, agent_id: rowOf(agent), user_id: actor.userId }];
    return (await tx.context.createMany({ data, skipDuplicates: true })).count === 1;
  }

  /** What was said in a context, and whether its last words are this very message, still without an answer. */
  async function hear(tx: Tx, contextId: string, content: string) {
    const recent = await tx.contextMessage.findMany({
      where: { context_id: contextId },
      orderBy: { seq: 'desc' },
      take: HISTORY_TURNS,
      select: { role: true, content: true, tool_calls: true, call_id: true },
    });
    const turns = recent.reverse().map(toTurn);
    const asked = turns.findLastIndex(({ role }) => role === 'user');
    const begun = turns.slice(asked + 1);
    const isAnswered = begun.some(({ role, toolCalls }) => role === 'assistant' && !toolCalls);
    const repeated = turns[asked]?.content === content && !isAnswered;
    const opened = repeated ? { history: turns.slice(0, asked), begun } : { history: turns, begun: [] };
    return { repeated, opened: { id: contextId, ...opened } };
  }

  /** A new context, or the one that an earlier try of the same request began and could not answer. */
  async function beginOnce(tx: Tx, caller: Caller, agent: RunnableAgent, { content, idempotencyKey }: Said) {
    if (idempotencyKey !== undefined) {
      const id = idFor(`context ${idempotencyKey}`);
      if (await begin(tx, caller, agent, id)) return hear(tx, id, content);
      // What was answered under a key that has run out since is another conversation.
      const found = (await isOwn(tx, caller, agent, id)) ? await hear(tx, id, content) : undefined;
      if (found?.repeated) return found;
    }
    const id = newId();
    await begin(tx, caller, agent, id);
    return hear(tx, id, content);
  }

  /** @throws AppError not_found when the agent, and its contexts with it, was deleted while the model worked. */
  async function hold(tx: Tx, contextId: string): Promise<void> {
    const held = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM contexts WHERE id = ${contextId}::uuid FOR UPDATE`;
    if (held.length === 0) throw new AppError('not_found');
  }

  async function append(tx: Tx, contextId: string, { role, content, toolCalls, callId }: Turn, model?: string) {
    const last = await tx.contextMessage.aggregate({ where: { context_id: contextId }, _max: { seq: true } });
    await tx.context.update({ where: { id: contextId }, data: { updated_at: new Date() } });
    const calls = toolCalls as unknown as Prisma.InputJsonArray | undefined;
    return tx.contextMessage.create({
      data: {
        id: newId(),
        context_id: contextId,
        seq: (last._max.seq ?? 0) + 1,
        role,
        content,
        ...(calls && { tool_calls: calls }),
        ...(callId !== undefined && { call_id: callId }),
        ...(model !== undefined && { model }),
      },
    });
  }

  async function recordUsage(
    tx: Tx,
    { project, actor }: Caller,
    agent: RunnableAgent,
    kind: 'agent_message' | 'agent_step',
    { model, usage, costUsd }: ModelAnswer,
  ) {
    const { prompt_tokens, completion_tokens } = usage;
    const subject = { project, user_id: actor.userId, kind, subject_id: agent.id };
    await tx.usageEvent.create({
      data: { ...subject, id: newId(), model, prompt_tokens, completion_tokens, cost_usd: costUsd },
    });
  }

  return {
    /** The caller's with this agent, the latest first. */
    async list({ project, actor }: Caller, agent: RunnableAgent, { limit, offset }: ListQuery) {
      const owner = [actor.userId, project, rowOf(agent)];
      const [rows, [count]] = await Promise.all([
        db.prepared<ContextRow>(
          'list-contexts',
          `${OWN_CONTEXTS} ORDER BY c.updated_at DESC, c.id DESC LIMIT $4 OFFSET $5`,
          [...owner, limit, offset],
        ),
        db.prepared<{ n: string }>('count-contexts', `SELECT count(*) AS n FROM (${OWN_CONTEXTS}) own`, owner),
      ]);
      return { items: rows.map(toContext), total: Number(count?.n), limit, offset };
    },

    /** `undefined` for one that is not the caller's with this agent. */
    async find({ project, actor }: Caller, agent: RunnableAgent, id: string): Promise<ContextDetail | undefined> {
      const uuid = decodeId('ctx', id);
      if (!uuid) return undefined;
      const [context] = await db.prepared<ContextRow>('find-context', `${OWN_CONTEXTS} AND c.id = $4`, [
        actor.userId,
        project,
        rowOf(agent),
        uuid,
      ]);
      if (!context) return undefined;
      const rows = await db.prisma.contextMessage.findMany({
        where: { context_id: uuid },
        orderBy: { seq: 'desc' },
        take: SHOWN_TURNS,
      });
      return { ...toContext(context), agent: agent.slug, messages: toMessages(rows.reverse()) };
    },

    /**
     * Keeps the user's message before the model is asked, so that it is not lost when the model cannot answer. Sending the same
     * message again while it is the last, unanswered one does not keep it twice, and goes on where its run broke off; so does a
     * retry under the same key that does not name the context yet.
     *
     * @param alongside what is kept in the same transaction.
     * @throws AppError not_found for a context that is not this user's with this agent.
     */
    open(
      caller: Caller,
      agent: RunnableAgent,
      said: Said,
      alongside?: (tx: Tx, contextId: string) => Promise<void>,
    ): Promise<OpenedContext> {
      return db.transaction(async (tx) => {
        const { content, contextId } = said;
        const { repeated, opened } =
          contextId === undefined
            ? await beginOnce(tx, caller, agent, said)
            : await hear(tx, await requireContext(tx, caller, agent, contextId), content);
        const { id } = opened;
        if (!repeated) await append(tx, id, { role: 'user', content });
        const resource = encodeId('ctx', id);
        await recordDecision(tx, { ...caller, action: 'agent.message', resource, detail: { agent: agent.slug } });
        await alongside?.(tx, id);
        return opened;
      });
    },

    /**
     * Keeps a step of a run, the tools' calls and their answers together, and what the model used for it.
     *
     * @throws AppError not_found
     */
    addStep(caller: Caller, agent: RunnableAgent, contextId: string, answer: ModelAnswer, turns: readonly Turn[]) {
      return db.transaction(async (tx) => {
        await hold(tx, contextId);
        for (const turn of turns)
          await append(tx, contextId, turn, turn.role === 'assistant' ? answer.model : undefined);
        await recordUsage(tx, caller, agent, 'agent_step', answer);
      });
    },

    /**
     * Stores the answer and what it used.
     *
     * @throws AppError not_found
     */
    async answer(
      tx: Tx,
      caller: Caller,
      agent: RunnableAgent,
      contextId: string,
      answer: ModelAnswer,
    ): Promise<AgentMessage> {
      await hold(tx, contextId);
      const row = await append(tx, contextId, { role: 'assistant', content: answer.text }, answer.model);
      await recordUsage(tx, caller, agent, 'agent_message', answer);
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

interface MessageRow {
  id: string;
  role: string;
  content: string;
  tool_calls: unknown;
  call_id: string | null;
  created_at: Date;
}

/** What was said, each call of a tool with the message that made it. */
function toMessages(rows: readonly MessageRow[]): ContextMessage[] {
  const answers = new Map(rows.filter(({ role }) => role === 'tool').map(({ call_id, content }) => [call_id, content]));
  return rows
    .filter(({ role }) => role !== 'tool')
    .map((row) => {
      const { role, content, toolCalls = [] } = toTurn(row);
      return {
        id: encodeId('msg', row.id),
        role: role === 'user' ? 'user' : 'assistant',
        content,
        timestamp: row.created_at.toISOString(),
        tools: toolCalls.map(({ id, name, arguments: args }) => ({
          id,
          tool: name,
          arguments: args,
          answer: answers.get(id)?.slice(0, ANSWER_CHARACTERS) ?? null,
        })),
      };
    });
}
