import type { Caller, Project } from '@millwright/auth';
import { newId, Prisma, type Database, type Target, type Tx } from '@millwright/db';
import { countChange } from '@millwright/db/counters';
import { AppError, invalidField } from '@millwright/errors';
import { defineRecords } from '@millwright/records';
import type { ListQuery } from '../metadata/list.contract.js';
import { listRecords } from '../metadata/list-records.js';
import type { NewMetadata } from '../metadata/metadata.contract.js';
import { METADATA_COLUMNS, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, newMetadata } from '../metadata/records.store.js';
import type { Conversation, ConversationChanges, Message } from './conversations.contract.js';
import { messageOfItem, withoutItem } from './items.js';
import {
  append,
  fitsAnswer,
  forkDepth,
  lastSeq,
  listedMessages,
  messagesById,
  pageOfMessages,
  placeOfMessage,
  shownMessages,
  modelHistory,
  newMessages,
  toMessage,
  type MessagePage,
  type MessageRow,
  type NewMessage,
  type ModelHistory,
} from './messages.store.js';

interface ConversationRow extends MetadataRow {
  id: string;
}
/**
 * Place of a new fork: its parent, the `seq` of the last message that it shares with the parent, and the first conversation of the chain of forks.
 */
interface Fork {
  parent_id: string;
  parent_until: number;
  tree_id: string;
}
interface Labels {
  client_metadata: ClientMetadata;
}
type Times = Pick<ConversationRow, 'created_at' | 'updated_at'>;

/** The result when messages were added to a conversation. */
export interface Added {
  /** Id of the conversation: a new conversation when the messages are a fork. */
  id: string;
  appended: Message[];
  /** `seq` of the conversation's last message. */
  lastSeq: number;
  /** The whole conversation, when it is new. */
  conversation?: Conversation;
}

/** A conversation with its newest messages, as many as one answer can hold. */
export interface ShownConversation {
  conversation: Conversation;
  hasOlder: boolean;
}

/** Key-value pairs that a client of OpenAI's API stores with a conversation. */
export type ClientMetadata = Record<string, string>;

const HEAD = { id: true, created_at: true, client_metadata: true } as const;
export interface ConversationHead {
  id: string;
  created_at: Date;
  /** A value of the type `ClientMetadata`. */
  client_metadata: unknown;
}

/** Maximum length of a chain of forks. Each fork in the chain makes every read of the conversation slower. */
const MAX_FORK_DEPTH = 500;

/** Returns the metadata of a conversation that a run creates; its title is that of the prompt or model. */
export function conversationAbout({ metadata: { title } }: { metadata: { title: string } }): NewMetadata {
  return { title, description: '', tag: [], log_message: '', status: 'published' };
}

function toConversation(row: ConversationRow, messages: readonly MessageRow[]): Conversation {
  return {
    id: row.id,
    message: messages.map(toMessage),
    metadata: toMetadata(row),
    _link: `/v1/conversation/${row.id}`,
  };
}

/** Conversation records without their messages; each function reads the messages that it needs. */
const CONVERSATIONS = defineRecords<ConversationRow, ConversationRow>({
  table: 'conversations',
  noun: 'conversation',
  columns: `r.id, ${METADATA_COLUMNS}`,
  toResponse: (row) => row,
});

const added = (id: string, rows: readonly MessageRow[]): Added => ({
  id,
  appended: rows.map(toMessage),
  lastSeq: rows.at(-1)?.seq ?? 0,
});

/** Conversations of the prompt API. All reads and writes of them use these functions. Every function accesses only one project. */
export function createConversationStore(db: Database) {
  /** Returns the `seq` of a message. @throws AppError validation_error for `field` when the conversation has no such message */
  async function placeOf(conversationId: string, id: string, field = 'before'): Promise<number> {
    const place = await placeOfMessage(db.raw, conversationId, id);
    if (place === undefined) throw invalidField(field, 'is no message of this conversation');
    return place;
  }

  async function isPresent(project: Project, id: string): Promise<boolean> {
    const rows = await db.prepared(
      'find-conversation',
      'SELECT FROM conversations WHERE id = $1 AND project = $2 AND deleted_at IS NULL',
      [id, project],
    );
    return rows.length > 0;
  }

  async function create(
    tx: Tx,
    caller: Caller,
    metadata: NewMetadata,
    messages: readonly NewMessage[],
    more: Partial<Fork & Labels> = {},
  ) {
    const { project, actor } = caller;
    const fields = { id: newId(), version: 1, ...newMetadata(caller, metadata) };
    const { parent_id, parent_until, tree_id, client_metadata = {} } = more;
    const { rows, insert } = newMessages(fields.id, actor.label, messages, (parent_until ?? 0) + 1);
    const [times] = await tx.$queryRaw<Times[]>`
      WITH conversation AS (
        INSERT INTO conversations (id, project, user_id, title, description, tags, log_message, status, author, parent_id, parent_until,
                                   tree_id, client_metadata)
        VALUES (${fields.id}::uuid, ${project}, ${actor.userId}::uuid, ${fields.title}, ${fields.description}, ${fields.tags}::text[],
                ${fields.log_message}, ${fields.status}, ${fields.author}, ${parent_id ?? null}::uuid, ${parent_until ?? null}::int, ${tree_id ?? null}::uuid,
                ${JSON.stringify(client_metadata)}::json)
        RETURNING created_at, updated_at),
      messages AS (${insert}),
      total AS (${countChange({ project, kind: 'conversations', status: fields.status }, 1)})
      SELECT created_at, updated_at FROM conversation`;
    if (!times) throw new Error('the conversation was not inserted');
    const appended = rows.map((row) => ({ ...row, created_at: times.created_at }));
    return { conversation: toConversation({ ...fields, ...times }, appended), ...added(fields.id, appended) };
  }

  /** @throws AppError validation_error when the chain of forks is at its limit. */
  async function requireForkable(reads: Pick<Tx, '$queryRaw'>, id: string): Promise<void> {
    if ((await forkDepth(reads, id)) < MAX_FORK_DEPTH) return;
    const limit = `is of a conversation that was forked ${MAX_FORK_DEPTH} times in a row, which is the limit`;
    throw invalidField('previous_response_id', `${limit}: continue from its newest response`);
  }

  /** @throws AppError not_found */
  async function lock(tx: Tx, { project }: Caller, id: string): Promise<void> {
    const locked = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM conversations WHERE id = ${id}::uuid AND project = ${project} AND deleted_at IS NULL FOR UPDATE`;
    if (locked.length === 0) throw new AppError('not_found');
  }

  return {
    /**
     * Refuses a response that would fork the conversation beyond the limit of a chain of forks. `extend` repeats the check, because a concurrent
     * response may be stored in between.
     *
     * @throws AppError validation_error when the limit is reached
     */
    async requireRoom(id: string, after: number): Promise<void> {
      if ((await lastSeq(db.raw, id)) !== after) await requireForkable(db.raw, id);
    },

    /** Returns the newest messages, or the messages before `before`, and whether there are older messages. */
    async find(project: Project, id: string, before?: string): Promise<ShownConversation | undefined> {
      const row = await db.prisma.conversation.findFirst({ where: { id, project, deleted_at: null } });
      if (!row) return undefined;
      const messages = await shownMessages(db.raw, id, before === undefined ? undefined : await placeOf(id, before));
      return { conversation: toConversation(row, messages), hasOlder: (messages[0]?.seq ?? 1) > 1 };
    },

    /**
     * Returns the conversation to which a run's transaction has added messages, with its newest messages. A new conversation is not read
     * again if an answer can hold all of its messages.
     */
    async show(tx: Tx, { id, conversation }: Added): Promise<Conversation> {
      if (conversation && fitsAnswer(conversation.message)) return conversation;
      const row = await tx.conversation.findUniqueOrThrow({ where: { id } });
      return toConversation(row, await shownMessages(tx, id));
    },

    /**
     * Reads the messages that an earlier answer contained. `until`: `seq` of the newest of these messages. Returns `undefined` when the conversation
     * was deleted.
     */
    async messagesUntil(project: Project, id: string, until: number): Promise<Message[] | undefined> {
      const found = await isPresent(project, id);
      return found ? (await shownMessages(db.raw, id, until + 1)).map(toMessage) : undefined;
    },

    /** Reads the history for a request to the model; `until`: `seq` of the last message. */
    async history(project: Project, id: string, until?: number): Promise<ModelHistory | undefined> {
      const found = await isPresent(project, id);
      return found ? modelHistory(db.raw, id, until) : undefined;
    },

    /** Reads the data of a conversation for OpenAI's API; `undefined` when the conversation does not exist. */
    async head(project: Project, id: string): Promise<ConversationHead | undefined> {
      return (
        (await db.prisma.conversation.findFirst({ where: { id, project, deleted_at: null }, select: HEAD })) ??
        undefined
      );
    },

    /** Finds a message of a conversation: its own message, or a message that it shares with its parents. */
    async message(project: Project, id: string, messageId: string): Promise<MessageRow | undefined> {
      const found = await isPresent(project, id);
      const from = found ? await placeOfMessage(db.raw, id, messageId) : undefined;
      if (from === undefined) return undefined;
      return (await pageOfMessages(db.raw, id, { order: 'asc', limit: 1, from })).rows[0];
    },

    /** Reads a page of messages. With `after`, the id of a message, the page begins with this message. */
    async page(id: string, page: Omit<MessagePage, 'from'>, after?: string) {
      const from = after === undefined ? undefined : await placeOf(id, after, 'after');
      return pageOfMessages(db.raw, id, { ...page, from });
    },

    /** Reads messages of the project by their ids; `undefined` when the messages have more than 8 MiB together. */
    messagesById: (project: Project, ids: readonly string[]) => messagesById(db.raw, project, ids),

    async list(project: Project, query: ListQuery) {
      const { items: rows, ...page } = await listRecords(db.reads, CONVERSATIONS, project, query);
      const messages = await listedMessages(
        db.raw,
        rows.map(({ id }) => id),
      );
      return { items: rows.map((row) => toConversation(row, messages.get(row.id) ?? [])), ...page };
    },

    /** Creates a conversation with these messages. */
    create,

    /**
     * Appends messages to a conversation and increments its version. `after`: `seq` of the message that the new messages follow, by default the last
     * message. The message must not be shared with a parent. When it is no longer the last message, the new messages are stored in a fork: a new
     * conversation that shares the messages up to `after`.
     *
     * @throws AppError not_found, validation_error when the chain of forks is at its limit.
     */
    async extend(tx: Tx, caller: Caller, id: string, messages: readonly NewMessage[], after?: number) {
      await lock(tx, caller, id);
      if (after !== undefined && (await lastSeq(tx, id)) !== after) {
        await requireForkable(tx, id);
        const parent = await tx.conversation.findUniqueOrThrow({ where: { id } });
        const fork = { parent_id: id, parent_until: after, tree_id: parent.tree_id ?? id };
        // The created conversation is not returned, because it lacks the messages of its parent.
        const forked = await create(tx, caller, toMetadata(parent), messages, fork);
        return { id: forked.id, appended: forked.appended, lastSeq: forked.lastSeq };
      }
      await tx.$executeRaw`UPDATE conversations SET version = version + 1, updated_at = now() WHERE id = ${id}::uuid`;
      return added(id, await append(tx, id, caller.actor.label, messages));
    },

    /** @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current. */
    async update(tx: Tx, caller: Caller, target: Target, changes: ConversationChanges): Promise<Conversation> {
      const row = await changeRecord(tx, caller, CONVERSATIONS, target, changes, (id, data) =>
        tx.conversation.update({ where: { id }, data }),
      );
      return toConversation(row, await shownMessages(tx, row.id));
    },

    /** Replaces the client's key-value pairs. @throws AppError not_found, precondition_failed */
    async label(tx: Tx, caller: Caller, target: Target, pairs: ClientMetadata): Promise<ConversationHead> {
      const changes: { metadata?: undefined; client_metadata: ClientMetadata } = { client_metadata: pairs };
      const row = await changeRecord(tx, caller, CONVERSATIONS, target, changes, (id, data) =>
        tx.conversation.update({ where: { id }, data }),
      );
      return tx.conversation.findUniqueOrThrow({ where: { id: row.id }, select: HEAD });
    },

    /**
     * Deletes an item of a message; with its last item, the message is deleted.
     *
     * @throws AppError not_found; conflict for a message that another conversation shares
     */
    async removeItem(tx: Tx, caller: Caller, id: string, itemId: string): Promise<ConversationHead> {
      await lock(tx, caller, id);
      const messageId = messageOfItem(itemId)?.uuid;
      const place = messageId && (await placeOfMessage(tx, id, messageId));
      const row = place && (await tx.conversationMessage.findUniqueOrThrow({ where: { id: messageId } }));
      const left = row ? withoutItem(row, itemId) : null;
      if (!row || left === null) throw new AppError('not_found');
      const shared = await tx.conversation.count({ where: { parent_id: id, parent_until: { gte: row.seq } } });
      if (row.conversation_id !== id || shared > 0)
        throw new AppError('conflict', {
          fields: [{ field: 'item_id', reason: 'is shared with a fork of the conversation' }],
        });
      const last = await lastSeq(tx, id);
      // A new row replaces the message, because stored messages are never updated: so the quota counts only the bytes that are left.
      await tx.conversationMessage.delete({ where: { id: row.id } });
      if (left) {
        const { calls, ...texts } = left;
        const tool_calls = calls.length > 0 ? calls.map((call) => ({ ...call })) : Prisma.DbNull;
        await tx.conversationMessage.create({ data: { ...row, ...texts, tool_calls, reference: row.reference ?? [] } });
      }
      return tx.conversation.update({
        where: { id },
        data: { version: { increment: 1 }, ...(!left && { deleted_until: last }) },
        select: HEAD,
      });
    },

    /**
     * Deletes a conversation in constant time: hides it, and a job deletes its messages. Its forks keep the
     * messages that they share with it.
     *
     * @throws AppError not_found, precondition_failed
     */
    async remove(tx: Tx, caller: Caller, target: Target): Promise<void> {
      await CONVERSATIONS.remove(
        tx,
        caller,
        target,
        ({ id }) => tx.$executeRaw`UPDATE conversations SET deleted_at = now() WHERE id = ${id}::uuid`,
      );
    },
  };
}
export type ConversationStore = ReturnType<typeof createConversationStore>;
