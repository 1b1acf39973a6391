import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { addToCount, lockRecord, moveCount, newId, type Database, type Target, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import type { NewMetadata } from '../metadata/metadata.contract.js';
import {
  changedColumns,
  METADATA_COLUMNS,
  metadataColumns,
  toMetadata,
  type MetadataRow,
} from '../metadata/metadata.store.js';
import type { Conversation, ConversationChanges, Message } from './conversations.contract.js';

interface ConversationRow extends MetadataRow {
  id: string;
}
type MessageRow = NonNullable<Awaited<ReturnType<Tx['conversationMessage']['findFirst']>>>;

/** A message to append. */
export interface NewMessage {
  role: Message['role'];
  content: string;
  model: string;
  /** What it refers to. */
  reference?: Message['reference'];
}

/** `YYYY-MM-DD hh:mm:ss`, UTC: message metadata only (spec, "Message"). */
function messageTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

function toMessage(row: MessageRow): Message {
  const at = messageTime(row.created_at);
  return {
    id: row.id,
    role: row.role as Message['role'],
    content: row.content,
    reference: row.reference as Message['reference'],
    model: row.model,
    metadata: {
      title: '',
      description: '',
      tag: [],
      log_message: '',
      created: at,
      updated: at,
      version: 1,
      status: 'published',
      author: row.author,
    },
  };
}

function toConversation(row: ConversationRow, messages: readonly MessageRow[]): Conversation {
  return {
    id: row.id,
    message: messages.map(toMessage),
    metadata: toMetadata(row),
    _link: `/v1/conversation/${row.id}`,
  };
}

/** PostgreSQL holds neither NUL nor half a surrogate pair; a model may write both. */
function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD').toWellFormed();
}

const bySeq = { orderBy: { seq: 'asc' } } as const;

/** The only file that reads and writes conversations. Every function sees one project and nothing else. */
export function createConversationStore(db: Database) {
  async function append(tx: Tx, conversation: ConversationRow, { actor }: Caller, messages: readonly NewMessage[]) {
    const last = await tx.conversationMessage.aggregate({
      where: { conversation_id: conversation.id },
      _max: { seq: true },
    });
    const first = (last._max.seq ?? 0) + 1;
    const rows = await tx.conversationMessage.createManyAndReturn({
      data: messages.map((message, index) => ({
        ...message,
        content: storable(message.content),
        id: newId(),
        conversation_id: conversation.id,
        seq: first + index,
        author: actor.label,
      })),
    });
    return rows.sort((a, b) => a.seq - b.seq);
  }

  return {
    async find(project: Project, id: string): Promise<Conversation | undefined> {
      const row = await db.prisma.conversation.findFirst({ where: { id, project }, include: { messages: bySeq } });
      return row ? toConversation(row, row.messages) : undefined;
    },

    /** Role and content of each message, oldest first. */
    async history(project: Project, id: string): Promise<{ role: Message['role']; content: string }[] | undefined> {
      const select = { messages: { ...bySeq, select: { role: true, content: true } } } as const;
      const row = await db.prisma.conversation.findFirst({ where: { id, project }, select });
      return row?.messages.map(({ role, content }) => ({ role: role as Message['role'], content }));
    },

    async list(project: Project, query: ListQuery): Promise<{ conversations: Conversation[]; total: number }> {
      const source = { kind: 'conversations', columns: `r.id, ${METADATA_COLUMNS}` } as const;
      const { rows, total } = await listPage<ConversationRow>(db, source, project, query);
      const messages = await db.prisma.conversationMessage.findMany({
        where: { conversation_id: { in: rows.map(({ id }) => id) } },
        ...bySeq,
      });
      const byConversation = Map.groupBy(messages, (message) => message.conversation_id);
      return { conversations: rows.map((row) => toConversation(row, byConversation.get(row.id) ?? [])), total };
    },

    /** A new conversation with these messages. */
    async create(tx: Tx, caller: Caller, metadata: NewMetadata, messages: readonly NewMessage[]) {
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
      const appended = await append(tx, row, caller, messages);
      await addToCount(tx, { project, kind: 'conversations', status: row.status }, 1);
      return { conversation: toConversation(row, appended), appended: appended.map(toMessage) };
    },

    /** Adds messages to a conversation, whose version it raises. @throws AppError not_found */
    async extend(tx: Tx, caller: Caller, id: string, messages: readonly NewMessage[]) {
      const locked = await tx.$queryRaw<{ id: string }[]>`
        SELECT id FROM conversations WHERE id = ${id}::uuid AND project = ${caller.project} FOR UPDATE`;
      if (locked.length === 0) throw new AppError('not_found');
      const row = await tx.conversation.update({
        where: { id },
        data: { version: { increment: 1 }, updated_at: new Date() },
      });
      const appended = await append(tx, row, caller, messages);
      const all = await tx.conversationMessage.findMany({ where: { conversation_id: id }, ...bySeq });
      return { conversation: toConversation(row, all), appended: appended.map(toMessage) };
    },

    /** @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current. */
    async update(
      tx: Tx,
      { project, actor }: Caller,
      target: Target,
      changes: ConversationChanges,
    ): Promise<Conversation> {
      const current = await lockRecord(tx, 'conversations', project, target.id, target.ifMatch);
      const fields = changedColumns(changes.metadata, current);
      const row = await tx.conversation.update({
        where: { id: current.id },
        data: { ...fields, version: { increment: 1 }, updated_at: new Date() },
        include: { messages: bySeq },
      });
      await moveCount(tx, { project, kind: 'conversations', status: current.status }, row.status);
      await recordDecision(tx, {
        actor,
        action: 'conversation.update',
        resource: row.id,
        project,
        detail: { version: row.version, fields: Object.keys(fields) },
      });
      return toConversation(row, row.messages);
    },

    /** @throws AppError not_found, precondition_failed */
    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'conversations', project, target.id, target.ifMatch);
      await tx.conversation.delete({ where: { id: current.id } });
      await addToCount(tx, { project, kind: 'conversations', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'conversation.delete', resource: current.id, project });
    },
  };
}
export type ConversationStore = ReturnType<typeof createConversationStore>;
