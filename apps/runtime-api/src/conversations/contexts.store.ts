import { apiKeyIdOf, type Caller } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import type { RunnableAgent } from '@millwright/catalog';
import { decodeId, encodeId, idFor, newId, storableText, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { ModelUse } from '@millwright/models';
import { equals, listPage, type Condition } from '@millwright/records';
import { rowIdOf } from '../concierge/concierge.js';
import type { AgentMessage } from './agent-message.js';
import { appendTurns, beginContext, type AppendedTurn, type TurnAuthor } from './append-turns.js';
import { insertImages, resolveImages, type StorableImage } from './context-images.store.js';
import type { MessageImage, SentImage } from '@millwright/runs/message-images';
import type { ListQuery } from '../lists/list.contract.js';
import type { Context, ContextDetail } from './contexts.contract.js';
import { readShownMessages } from './shown-messages.js';
import { replaceMessages } from './replace-messages.js';
import { titleOf } from './title.js';
import { exchangesOf, hasFailed, isAnswer, toTurn, type StoredTurn, type Turn } from './turn.js';

/** A context in which the user's new message is already stored. */
export interface OpenedContext {
  id: string;
  /** Row id of the user's new message. */
  messageId: string;
  /** Turns before the user's new message, without messages whose run failed. */
  history: StoredTurn[];
  /** The author of the message, when the author is neither the user nor this installation. */
  source?: string | undefined;
  /** Images of the user's new message. */
  images: readonly MessageImage[];
  /** Tool calls and answers after the user's new message, from an earlier run that was interrupted. */
  begun: StoredTurn[];
}

/** A stored step of a run: the position of its last turn, and the number of its turns. */
export interface StoredStep {
  throughSeq: number;
  turns: number;
}

/** A context for a process that continues a run. */
export interface ReopenedContext extends OpenedContext {
  /** Text of the user's message. */
  content: string;
  /** Row id of the message with the answer of an earlier run to the same message. Undefined when no earlier run has answered. */
  answer: string | undefined;
}

type AgentRef = Pick<RunnableAgent, 'id' | 'slug' | 'draftId'>;

type AnsweringAgent = Pick<RunnableAgent, 'slug'>;

/** The last answer of a run. */
export interface RunAnswer {
  text: string;
  /** Name of the model that wrote the answer. */
  model: string;
  /** Whether the run is tainted. */
  untrusted: boolean;
}

/** A user's message as it was sent. */
export interface SentMessage {
  content: string;
  /** Context that the message continues. Without an id, the message starts a new context. */
  contextId: string | undefined;
  /** Id of the user's message that the new message replaces. All later messages are replaced too. */
  replaces?: string | undefined;
  /** Idempotency key. All retries of one request have the same key, so that all of them use the same new context. */
  idempotencyKey?: string | undefined;
  /** The author of the message, when the author is neither the user nor this installation. */
  source?: string | undefined;
  images?: readonly SentImage[] | undefined;
}

/** A message whose images have been resolved. */
interface StorableMessage extends Omit<SentMessage, 'images'> {
  images: readonly StorableImage[];
}

/** The row id and the author of a user's message, and the turns before and after it. */
interface PlacedMessage extends Pick<OpenedContext, 'messageId' | 'source' | 'images'> {
  opened: Pick<OpenedContext, 'id' | 'history' | 'begun'>;
}

/** Limit of the turns that a run reads. */
const HISTORY_TURNS = 200;

const TITLE_CHARACTERS = 120;

const turnOf = ({ content, source, images }: StorableMessage): Turn => ({
  role: 'user',
  content,
  images,
  ...(source !== undefined && { untrusted: true, source }),
});

export interface ContextRow {
  id: string;
  title: string | null;
  created_at: Date;
  updated_at: Date;
}

/** SQL for the title of the context `r`. */
export const TITLE = `coalesce(r.title, (SELECT ${titleOf('m', TITLE_CHARACTERS)} FROM context_messages m
                       WHERE m.context_id = r.id AND m.replaced_by IS NULL ORDER BY m.seq LIMIT 1))`;

const CONTEXTS = {
  name: 'contexts',
  table: 'contexts',
  columns: `r.id, ${TITLE} AS title, r.created_at, r.updated_at`,
};

export const toContext = ({ id, title, created_at, updated_at }: ContextRow): Context => ({
  id: encodeId('ctx', id),
  title: title ?? '',
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

/**
 * Condition for the conversations of an agent. Conversations of the built-in agent have no agent id. They need a separate condition, because IS NOT
 * DISTINCT FROM cannot use an index.
 */
const ofAgent = (agent: RunnableAgent): Condition => {
  const value = rowIdOf(agent);
  if (value !== null) return { name: 'agent', sql: (id) => `r.agent_id = ${id}::uuid`, value };
  return { name: 'concierge', sql: (id) => `r.agent_id IS NULL AND ${id}::uuid IS NULL`, value };
};

/** Reads and changes the conversations of one user with one agent. For all other users and agents, a conversation is `not_found`. */
export function createContextStore(db: Database) {
  /** Locks the context if it belongs to the caller and this agent. Returns whether it does. */
  async function lockOwn(tx: Tx, { project, actor }: Caller, agent: AgentRef, id: string): Promise<boolean> {
    const rows = await tx.$queryRaw<unknown[]>`
      SELECT id FROM contexts WHERE id = ${id}::uuid AND project = ${project}
         AND agent_id IS NOT DISTINCT FROM ${rowIdOf(agent)}::uuid AND user_id = ${actor.userId}::uuid FOR UPDATE`;
    return rows.length > 0;
  }

  async function requireContext(tx: Tx, caller: Caller, agent: AgentRef, contextId: string): Promise<string> {
    const id = decodeId('ctx', contextId);
    if (id === undefined || !(await lockOwn(tx, caller, agent, id))) throw new AppError('not_found');
    return id;
  }

  /** Creates a context with its first message. Returns `undefined` when a context with this id already exists. */
  async function begin(tx: Tx, { project, actor }: Caller, agent: RunnableAgent, id: string, message: StorableMessage) {
    const context = { id, project, agentId: rowIdOf(agent), userId: actor.userId };
    const stored = await beginContext(tx, context, turnOf(message));
    if (!stored) return undefined;
    const { source, images } = message;
    await insertImages(tx, stored.id, images);
    return { opened: { id, history: [], begun: [] }, messageId: stored.id, source, images };
  }

  /** Reads the turns of a context. `repeated` is the user's last message if that message has no answer yet and equals the new message. */
  async function readTurns(tx: Tx, contextId: string, { content, images }: StorableMessage) {
    const recent = await tx.contextMessage.findMany({
      where: { context_id: contextId, replaced_by: null },
      orderBy: { seq: 'desc' },
      take: HISTORY_TURNS,
    });
    const exchanges = exchangesOf(recent.reverse().map(toTurn));
    const [asked, ...begun] = exchanges.at(-1) ?? [];
    const isRepeated =
      asked?.role === 'user' &&
      asked.content === content &&
      areEqual(asked.images ?? [], images) &&
      !begun.some(isAnswer);
    const before = isRepeated ? exchanges.slice(0, -1) : exchanges;
    const history = before.filter((exchange) => !hasFailed(exchange)).flat();
    return {
      repeated: isRepeated ? asked : undefined,
      opened: { id: contextId, history, begun: isRepeated ? begun : [] },
    };
  }

  /** Creates a context, or continues the unanswered context that an earlier attempt of the same request created. */
  async function beginOnce(
    tx: Tx,
    caller: Caller,
    agent: RunnableAgent,
    message: StorableMessage,
  ): Promise<PlacedMessage> {
    const { idempotencyKey } = message;
    if (idempotencyKey !== undefined) {
      const id = idFor(`context ${idempotencyKey}`);
      const begun = await begin(tx, caller, agent, id, message);
      if (begun) return begun;
      // A context of this id exists: an earlier request had the same key. If its message is answered, the key has expired, and this request needs a
      // new context.
      const found = (await lockOwn(tx, caller, agent, id)) ? await readTurns(tx, id, message) : undefined;
      if (found?.repeated) return placeMessage(tx, found, message);
    }
    const begun = await begin(tx, caller, agent, newId(), message);
    if (!begun) throw new Error('a context was not stored');
    return begun;
  }

  /** Replaces messages of an existing context if the new message requires it, then stores the new message. */
  async function resume(tx: Tx, id: string, message: StorableMessage): Promise<PlacedMessage> {
    const { replaces } = message;
    if (replaces === undefined) return placeMessage(tx, await readTurns(tx, id, message), message);
    const wasReplaced = await replaceMessages(tx, id, replaces);
    const found = await readTurns(tx, id, message);
    // Only a retry of the same request may name a message that was already replaced.
    if (wasReplaced && !found.repeated) throw invalidField('replaces', 'was replaced by another message');
    return placeMessage(tx, found, message);
  }

  /** Stores a message after the turns of its context, unless it repeats the last turn. */
  async function placeMessage(
    tx: Tx,
    { repeated, opened }: Awaited<ReturnType<typeof readTurns>>,
    message: StorableMessage,
  ): Promise<PlacedMessage> {
    if (!repeated) {
      const { source, images } = message;
      const { id: messageId } = await appendOne(tx, opened.id, turnOf(message));
      await insertImages(tx, messageId, images);
      return { opened, messageId, source, images };
    }
    if (repeated.failed) await markMessage(tx, repeated.id, false);
    return { opened, messageId: repeated.id, source: repeated.source, images: repeated.images ?? [] };
  }

  /**
   * Locks the context for a write of a run. @throws AppError not_found when the context was deleted, or when its agent was deleted and has no version
   * on which its runs may finish.
   */
  async function lockContext(tx: Tx, contextId: string): Promise<void> {
    const locked = await tx.$queryRaw<{ id: string }[]>`SELECT id FROM contexts c WHERE id = ${contextId}::uuid
         AND (agent_id IS NULL OR EXISTS (SELECT FROM agents a WHERE a.id = c.agent_id)
              OR EXISTS (SELECT FROM deleted_agent_versions k WHERE k.agent_id = c.agent_id)
              OR EXISTS (SELECT FROM deleted_agents d WHERE d.id = c.agent_id AND d.at > now())) FOR UPDATE OF c`;
    if (locked.length === 0) throw new AppError('not_found');
  }

  const markMessage = (tx: Tx, messageId: string, failed: boolean) =>
    tx.$executeRaw`UPDATE context_messages SET failed = ${failed} WHERE id = ${messageId}::uuid`;

  async function appendOne(tx: Tx, contextId: string, turn: Turn, author?: TurnAuthor): Promise<AppendedTurn> {
    const [row] = await appendTurns(tx, contextId, [turn], author);
    if (!row) throw new Error('a message was not stored');
    return row;
  }

  return {
    /** Lists the caller's conversations with this agent, latest first. */
    async list({ project, actor }: Caller, agent: RunnableAgent, { limit, offset }: ListQuery) {
      const { rows, total } = await listPage<ContextRow>(db.reads, CONTEXTS, {
        conditions: [equals('r.user_id', actor.userId), equals('r.project', project), ofAgent(agent)],
        sort: 'updated_at',
        direction: 'desc',
        limit,
        offset,
      });
      return { items: rows.map(toContext), total, limit, offset };
    },

    /** Reads a conversation with its messages. Returns `undefined` when it does not belong to the caller and this agent. */
    async find({ project, actor }: Caller, agent: RunnableAgent, id: string): Promise<ContextDetail | undefined> {
      const uuid = decodeId('ctx', id);
      if (!uuid) return undefined;
      const { columns, table } = CONTEXTS;
      const [context] = await db.prepared<ContextRow>(
        'find-context',
        `SELECT ${columns} FROM ${table} r
          WHERE r.user_id = $1 AND r.project = $2 AND r.agent_id IS NOT DISTINCT FROM $3::uuid AND r.id = $4`,
        [actor.userId, project, rowIdOf(agent), uuid],
      );
      if (!context) return undefined;
      return { ...toContext(context), agent: agent.slug, messages: await readShownMessages(db, uuid) };
    },

    messagesOf: (contextId: string) => readShownMessages(db, contextId),

    /**
     * Deletes a conversation with its messages and tasks. To do so in constant time, only the agent id of the conversation is changed, to that of an
     * agent that does not exist. Nobody can then access the conversation. The job that deletes the conversations of deleted agents later removes the
     * rows.
     *
     * @throws AppError not_found when the conversation does not belong to this user and agent.
     */
    async remove(tx: Tx, caller: Caller, agent: AgentRef, contextId: string): Promise<void> {
      const id = await requireContext(tx, caller, agent, contextId);
      const nobody = newId();
      await tx.$executeRaw`UPDATE contexts SET agent_id = ${nobody}::uuid WHERE id = ${id}::uuid`;
      await tx.$executeRaw`INSERT INTO deleted_agents (id) VALUES (${nobody}::uuid)`;
      const detail = { agent: agent.slug };
      await recordDecision(tx, { ...caller, action: 'context.delete', resource: contextId, detail });
    },

    /**
     * Stores the user's message before the model is called, so that a failure of the model does not lose the message. When a client sends its last
     * message again before it has an answer, the message is not stored twice, and its run continues where it was interrupted. The same applies to a
     * retry with the same idempotency key that names no context.
     *
     * @throws AppError not_found when the context does not belong to this user and agent; validation_error when `replaces` is not a message of the
     * user in this context, or an image is not in the context; conflict while a run of the context has not ended.
     */
    async open(tx: Tx, caller: Caller, agent: RunnableAgent, sent: SentMessage): Promise<OpenedContext> {
      const { contextId } = sent;
      const id = contextId === undefined ? undefined : await requireContext(tx, caller, agent, contextId);
      const message = { ...sent, images: await resolveImages(tx, id, sent.images ?? [], newId) };
      const { opened, ...placed } =
        id === undefined ? await beginOnce(tx, caller, agent, message) : await resume(tx, id, message);
      const resource = encodeId('ctx', opened.id);
      const detail = {
        agent: agent.slug,
        ...(agent.draftId !== undefined && { draft: true }),
        ...(placed.images.length > 0 && { images: placed.images.length }),
      };
      await recordDecision(tx, { ...caller, action: 'agent.message', resource, detail });
      return { ...opened, ...placed };
    },

    /**
     * Reads a context for a process that continues the run of a message. `stored` contains, for each step of the run, the position of its
     * last turn in the context. Messages of later runs are left out. Answers of earlier runs may follow the message. `answer` is the answer
     * of an earlier run to the message. Returns `undefined` when the conversation was deleted.
     */
    async reopen(
      contextId: string,
      messageId: string,
      stored: readonly StoredStep[],
    ): Promise<ReopenedContext | undefined> {
      const { rows, answer } = await db.transaction(async (tx) => {
        const where = { context_id: contextId };
        const message = await tx.contextMessage.findUnique({ where: { id: messageId }, select: { seq: true } });
        const seq = message?.seq ?? 0;
        const visible = {
          ...where,
          AND: [
            { OR: [{ seq: { lte: seq } }, { role: { not: 'user' } }] },
            { OR: [{ replaced_by: null }, { replaced_by: { gt: seq } }] },
          ],
        };
        const found = await tx.contextMessage.findMany({
          where: visible,
          orderBy: { seq: 'desc' },
          take: HISTORY_TURNS + stored.reduce((sum, { turns }) => sum + turns, 0),
        });
        const answered = { ...where, message_id: messageId, state: 'completed', answer_id: { not: null } };
        const run = await tx.run.findFirst({ where: answered, select: { answer_id: true } });
        return { rows: found.reverse(), answer: run?.answer_id ?? undefined };
      });
      const asked = rows.find(({ id }) => id === messageId);
      if (!asked) return undefined;
      // Turns that an earlier release stored have no `answers_to`. Those that belong to this run are recognized by the positions of its steps.
      const isOwn = ({ seq, answers_to: answersTo }: (typeof rows)[number]) =>
        answersTo === messageId ||
        stored.some(({ throughSeq, turns }) => seq <= throughSeq && seq > throughSeq - turns);
      const earlier = rows.filter((row) => row !== asked && !isOwn(row)).map(toTurn);
      const history = exchangesOf(earlier).filter((exchange) => !hasFailed(exchange));
      const begun = rows.filter(isOwn).map(toTurn);
      const { content, source } = asked;
      const { images = [] } = toTurn(asked);
      const message = { messageId, content, images, source: source ?? undefined };
      return { id: contextId, ...message, begun, history: history.flat(), answer };
    },

    /** Marks a user's message whose run failed. Later requests to the model leave the message out. */
    markFailed: (tx: Tx, messageId: string) => markMessage(tx, messageId, true),

    /** Records the usage of a model call. */
    async recordUsage(
      tx: Tx,
      { project, actor, credential }: Caller,
      agent: RunnableAgent,
      kind: 'agent_message' | 'agent_step',
      { model, usage, costUsd, estimated }: ModelUse,
    ) {
      const { prompt_tokens, completion_tokens } = usage;
      await tx.$executeRaw`
        INSERT INTO usage_events (id, project, user_id, kind, subject_id, key_id, model, prompt_tokens, completion_tokens, cost_usd, estimated)
        VALUES (${newId()}::uuid, ${project}, ${actor.userId}::uuid, ${kind}, ${agent.id}::uuid, ${apiKeyIdOf(credential) ?? null}::uuid,
                ${model}, ${prompt_tokens}::int, ${completion_tokens}::int, ${costUsd}::numeric, ${estimated})`;
    },

    /**
     * Stores one step of a run: the tool calls with their answers. @returns the position of the step's last turn
     *
     * @throws AppError not_found when the conversation was deleted, or when its agent was deleted and its runs may no longer finish
     */
    async addStep(tx: Tx, contextId: string, author: TurnAuthor, turns: readonly Turn[]): Promise<number> {
      await lockContext(tx, contextId);
      return Math.max(...(await appendTurns(tx, contextId, turns, author)).map(({ seq }) => seq));
    },

    /**
     * Stores the answer to a message.
     *
     * @throws AppError not_found when the conversation was deleted, or when its agent was deleted and its runs may no longer finish
     */
    async answer(
      tx: Tx,
      agent: RunnableAgent,
      { contextId, messageId }: { contextId: string; messageId: string },
      answer: RunAnswer,
    ): Promise<{ id: string; message: AgentMessage }> {
      await lockContext(tx, contextId);
      const { text, untrusted, model } = answer;
      const content = storableText(text);
      const row = await appendOne(tx, contextId, { role: 'assistant', content, untrusted }, { messageId, model });
      return { id: row.id, message: toAnswer(agent, { ...row, content, context_id: contextId }) };
    },

    /** Whether the run that wrote the answer was tainted. Answers that earlier releases stored have no mark and count as tainted. */
    async isUntrusted(tx: Tx, answerId: string): Promise<boolean> {
      const where = { id: decodeId('msg', answerId) ?? '' };
      const row = await tx.contextMessage.findUnique({ where, select: { untrusted: true } });
      return row?.untrusted ?? true;
    },

    /** Returns the stored answer of a run; `undefined` when the conversation was deleted. */
    async findAnswer(tx: Tx, agent: AnsweringAgent, answerId: string): Promise<AgentMessage | undefined> {
      const row = await tx.contextMessage.findUnique({ where: { id: answerId } });
      return row ? toAnswer(agent, row) : undefined;
    },
  };
}
export type ContextStore = ReturnType<typeof createContextStore>;

const areEqual = (some: readonly MessageImage[], others: readonly MessageImage[]): boolean =>
  some.length === others.length && some.every(({ sha256 }, index) => sha256 === others[index]?.sha256);

const toAnswer = (
  agent: AnsweringAgent,
  row: { id: string; content: string; created_at: Date; context_id: string },
): AgentMessage => ({
  id: encodeId('msg', row.id),
  content: row.content,
  agent: agent.slug,
  timestamp: row.created_at.toISOString(),
  context_id: encodeId('ctx', row.context_id),
});
