import type { Caller, Project } from '@millwright/auth';
import { addToCount, newId, type Database, type Target, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import type { NewMetadata } from '../metadata/metadata.contract.js';
import { METADATA_COLUMNS, metadataColumns, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, removeRecord } from '../metadata/records.store.js';
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
const CONVERSATIONS = {
  kind: 'conversations',
  name: 'conversation',
  columns: `r.id, ${METADATA_COLUMNS}`,
} as const;
/** What was added to a conversation. */
export interface Added {
  /** Of the conversation: a new one when what was added forks. */
  id: string;
  appended: Message[];
  /** The place of the last message. */
  lastSeq: number;
}

/** A conversation with as many of its newest messages as one answer takes. */
export interface ShownConversation {
  conversation: Conversation;
  hasOlder: boolean;
}

/** The metadata of a conversation that a run begins. */
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

const added = (id: string, rows: readonly MessageRow[]): Added => ({
  id,
  appended: rows.map(toMessage),
  lastSeq: rows.at(-1)?.seq ?? 0,
});

/** The only file that reads and writes conversations. Every function sees one project and nothing else. */
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
    const now = new Date();
    const row = await tx.conversation.create({
      data: {
        id: newId(),
        project,
        user_id: actor.userId,
        ...metadataColumns(metadata),
        author: actor.label,
        created_at: now,
        updated_at: now,
      },
    });
    const appended = await append(tx, row.id, actor.label, messages);
    await addToCount(tx, { project, kind: 'conversations', status: row.status }, 1);
    return { conversation: toConversation(row, appended), ...added(row.id, appended) };
  }

  /** A new conversation that begins with what stands in this one up to `until`. */
  async function fork(tx: Tx, caller: Caller, row: ConversationRow, until: number, messages: readonly NewMessage[]) {
    const { id } = await create(tx, caller, toMetadata(row), []);
    await copyMessages(tx, { id: row.id, until }, id, caller.actor.label);
    return added(id, await append(tx, id, caller.actor.label, messages));
  }

  return {
    /** With its newest messages, and whether there are older ones; `before` the message of that id. */
    async find(project: Project, id: string, before?: string): Promise<ShownConversation | undefined> {
      const row = await db.prisma.conversation.findFirst({ where: { id, project } });
      if (!row) return undefined;
      const messages = await shownMessages(db.prisma, id, before === undefined ? undefined : await placeOf(id, before));
      return { conversation: toConversation(row, messages), hasOlder: (messages[0]?.seq ?? 1) > 1 };
    },

    /** As a run within the transaction left it, with its newest messages. */
    async show(tx: Tx, id: string): Promise<Conversation> {
      const row = await tx.conversation.findUniqueOrThrow({ where: { id } });
      return toConversation(row, await shownMessages(tx, id));
    },

    /** What a model is told of it; `until`: the place of the last message. */
    async history(project: Project, id: string, until?: number): Promise<ToldHistory | undefined> {
      const found = await db.prisma.conversation.count({ where: { id, project } });
      return found === 0 ? undefined : toldMessages(db.prisma, id, until);
    },

    async list(project: Project, query: ListQuery): Promise<{ conversations: Conversation[]; total: number }> {
      const { rows, total } = await listPage<ConversationRow>(db, CONVERSATIONS, project, query);
      const messages = await listedMessages(
        db.prisma,
        rows.map(({ id }) => id),
      );
      return { conversations: rows.map((row) => toConversation(row, messages.get(row.id) ?? [])), total };
    },

    /** A new conversation with these messages. */
    create,

    /**
     * Adds messages to a conversation, whose version it raises. Those that belong behind the message at `after`, which is no
     * longer the last, go into a new conversation that begins with a copy of what stands before.
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
      await tx.conversation.update({ where: { id }, data: { version: { increment: 1 }, updated_at: new Date() } });
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
      removeRecord(tx, caller, CONVERSATIONS, target, (id) => tx.conversation.delete({ where: { id } })),
  };
}
export type ConversationStore = ReturnType<typeof createConversationStore>;
