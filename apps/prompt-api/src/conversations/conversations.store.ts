import type { Caller, Project } from '@millwright/auth';
import { addToCount, newId, type Database, type Target, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { defineRecords } from '@millwright/records';
import type { ListQuery } from '../metadata/list.contract.js';
import { listRecords } from '../metadata/list-records.js';
import type { NewMetadata } from '../metadata/metadata.contract.js';
import { METADATA_COLUMNS, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, newMetadata } from '../metadata/records.store.js';
import type { Conversation, ConversationChanges, Message } from './conversations.contract.js';
import {
  append,
  copyMessages,
  lastSeq,
  listedMessages,
  shownMessages,
  toldMessages,
  toMessage,
  type MessageRow,
  type NewMessage,
  type ToldHistory,
} from './messages.store.js';

interface ConversationRow extends MetadataRow {
  id: string;
}
/** Result of adding messages to a conversation. */
export interface Added {
  /** Id of the conversation; a new one when the messages fork. */
  id: string;
  appended: Message[];
  /** Place of the last message. */
  lastSeq: number;
}

/** A conversation with as many of its newest messages as one answer holds. */
export interface ShownConversation {
  conversation: Conversation;
  hasOlder: boolean;
}

/** Metadata of a conversation that a run begins. */
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

/** Conversations without their messages, which each function reads as it needs them. */
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

/** Sole access to conversations in the database, one project at a time. */
export function createConversationStore(db: Database) {
  /** @throws AppError validation_error when the conversation has no such message */
  async function placeOf(conversationId: string, id: string): Promise<number> {
    const where = { id, conversation_id: conversationId };
    const message = await db.prisma.conversationMessage.findFirst({ where, select: { seq: true } });
    if (!message) throw invalidField('before', 'is no message of this conversation');
    return message.seq;
  }

  async function create(tx: Tx, caller: Caller, metadata: NewMetadata, messages: readonly NewMessage[]) {
    const { project, actor } = caller;
    const row = await tx.conversation.create({
      data: { id: newId(), project, user_id: actor.userId, ...newMetadata(caller, metadata) },
    });
    const appended = await append(tx, row.id, actor.label, messages);
    await addToCount(tx, { project, kind: 'conversations', status: row.status }, 1);
    return { conversation: toConversation(row, appended), ...added(row.id, appended) };
  }

  /** Makes a new conversation with a copy of this one up to `until`. */
  async function fork(tx: Tx, caller: Caller, row: ConversationRow, until: number, messages: readonly NewMessage[]) {
    const { id } = await create(tx, caller, toMetadata(row), []);
    await copyMessages(tx, { id: row.id, until }, id, caller.actor.label);
    return added(id, await append(tx, id, caller.actor.label, messages));
  }

  return {
    /** Returns the newest messages, or those before the message `before`, and whether there are older ones. */
    async find(project: Project, id: string, before?: string): Promise<ShownConversation | undefined> {
      const row = await db.prisma.conversation.findFirst({ where: { id, project } });
      if (!row) return undefined;
      const messages = await shownMessages(db.prisma, id, before === undefined ? undefined : await placeOf(id, before));
      return { conversation: toConversation(row, messages), hasOlder: (messages[0]?.seq ?? 1) > 1 };
    },

    /** Reads a conversation within the run's transaction, with its newest messages. */
    async show(tx: Tx, id: string): Promise<Conversation> {
      const row = await tx.conversation.findUniqueOrThrow({ where: { id } });
      return toConversation(row, await shownMessages(tx, id));
    },

    /** Reads the history for a request to the model; `until` is the place of the last message. */
    async history(project: Project, id: string, until?: number): Promise<ToldHistory | undefined> {
      const found = await db.prisma.conversation.count({ where: { id, project } });
      return found === 0 ? undefined : toldMessages(db.prisma, id, until);
    },

    async list(project: Project, query: ListQuery): Promise<{ items: Conversation[]; total: number }> {
      const { items: rows, total } = await listRecords(db, CONVERSATIONS, project, query);
      const messages = await listedMessages(
        db.prisma,
        rows.map(({ id }) => id),
      );
      return { items: rows.map((row) => toConversation(row, messages.get(row.id) ?? [])), total };
    },

    /** Creates a conversation with these messages. */
    create,

    /**
     * Appends messages to a conversation and increments its version. When `after` is no longer the last message, they
     * go into a new conversation that begins with a copy up to `after`.
     *
     * @throws AppError not_found
     */
    async extend(tx: Tx, caller: Caller, id: string, messages: readonly NewMessage[], after?: number) {
      const locked = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM conversations WHERE id = ${id}::uuid AND project = ${caller.project} FOR UPDATE`;
      if (locked.length === 0) throw new AppError('not_found');
      if (after !== undefined && (await lastSeq(tx, id)) !== after) {
        const current = await tx.conversation.findUniqueOrThrow({ where: { id } });
        return fork(tx, caller, current, after, messages);
      }
      await tx.conversation.update({ where: { id }, data: { version: { increment: 1 } } });
      return added(id, await append(tx, id, caller.actor.label, messages));
    },

    /** @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current. */
    async update(tx: Tx, caller: Caller, target: Target, changes: ConversationChanges): Promise<Conversation> {
      const row = await changeRecord(tx, caller, CONVERSATIONS, target, changes, (id, data) =>
        tx.conversation.update({ where: { id }, data }),
      );
      return toConversation(row, await shownMessages(tx, row.id));
    },

    /** @throws AppError not_found, precondition_failed */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      CONVERSATIONS.remove(tx, caller, target, ({ id }) => tx.conversation.delete({ where: { id } })),
  };
}
export type ConversationStore = ReturnType<typeof createConversationStore>;
