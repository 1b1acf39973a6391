import type { Caller, Project } from '@millwright/auth';
import { addToCount, newId, type Database, type Target, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ListQuery } from '../metadata/list.contract.js';
import { listPage } from '../metadata/list.store.js';
import type { NewMetadata } from '../metadata/metadata.contract.js';
import { METADATA_COLUMNS, metadataColumns, toMetadata, type MetadataRow } from '../metadata/metadata.store.js';
import { changeRecord, removeRecord } from '../metadata/records.store.js';
import type { Conversation, ConversationChanges, Message } from './conversations.contract.js';

interface ConversationRow extends MetadataRow {
  id: string;
}
const CONVERSATIONS = {
  kind: 'conversations',
  name: 'conversation',
  columns: `r.id, ${METADATA_COLUMNS}`,
} as const;
type MessageRow = NonNullable<Awaited<ReturnType<Tx['conversationMessage']['findFirst']>>>;

/** A message to append. */
export interface NewMessage {
  /** Made here unless it is known already. */
  id?: string;
  role: Message['role'];
  content: string;
  model: string;
  /** What it refers to. */
  reference?: Message['reference'];
}

/** The metadata of a conversation that a run begins. */
export function conversationAbout({ metadata: { title } }: { metadata: { title: string } }): NewMetadata {
  return { title, description: '', tag: [], log_message: '', status: 'published' };
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

/** 0 while there is no message. */
async function lastSeq(tx: Tx, conversationId: string): Promise<number> {
  const last = await tx.conversationMessage.aggregate({
    where: { conversation_id: conversationId },
    _max: { seq: true },
  });
  return last._max.seq ?? 0;
}

/** The only file that reads and writes conversations. Every function sees one project and nothing else. */
export function createConversationStore(db: Database) {
  async function append(tx: Tx, conversation: ConversationRow, { actor }: Caller, messages: readonly NewMessage[]) {
    const first = (await lastSeq(tx, conversation.id)) + 1;
    const rows = await tx.conversationMessage.createManyAndReturn({
      data: messages.map((message, index) => ({
        ...message,
        content: storable(message.content),
        id: message.id ?? newId(),
        conversation_id: conversation.id,
        seq: first + index,
        author: actor.label,
      })),
    });
    return rows.sort((a, b) => a.seq - b.seq);
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
    const appended = await append(tx, row, caller, messages);
    await addToCount(tx, { project, kind: 'conversations', status: row.status }, 1);
    return { conversation: toConversation(row, appended), appended: appended.map(toMessage), lastSeq: appended.length };
  }

  /** A new conversation that begins with what stands in this one up to `until`. */
  async function fork(tx: Tx, caller: Caller, row: ConversationRow, until: number, messages: readonly NewMessage[]) {
    const earlier = await tx.conversationMessage.findMany({
      where: { conversation_id: row.id, seq: { lte: until } },
      ...bySeq,
      select: { role: true, content: true, model: true, reference: true },
    });
    return create(tx, caller, toMetadata(row), [...(earlier as NewMessage[]), ...messages]);
  }

  return {
    async find(project: Project, id: string): Promise<Conversation | undefined> {
      const row = await db.prisma.conversation.findFirst({ where: { id, project }, include: { messages: bySeq } });
      return row ? toConversation(row, row.messages) : undefined;
    },

    /** Role and content of each message, oldest first; `until`: the place of the last one. */
    async history(
      project: Project,
      id: string,
      until?: number,
    ): Promise<{ role: Message['role']; content: string }[] | undefined> {
      const select = {
        messages: {
          ...bySeq,
          ...(until !== undefined && { where: { seq: { lte: until } } }),
          select: { role: true, content: true },
        },
      } as const;
      const row = await db.prisma.conversation.findFirst({ where: { id, project }, select });
      return row?.messages.map(({ role, content }) => ({ role: role as Message['role'], content }));
    },

    async list(project: Project, query: ListQuery): Promise<{ conversations: Conversation[]; total: number }> {
      const { rows, total } = await listPage<ConversationRow>(db, CONVERSATIONS, project, query);
      const messages = await db.prisma.conversationMessage.findMany({
        where: { conversation_id: { in: rows.map(({ id }) => id) } },
        ...bySeq,
      });
      const byConversation = Map.groupBy(messages, (message) => message.conversation_id);
      return { conversations: rows.map((row) => toConversation(row, byConversation.get(row.id) ?? [])), total };
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
      const row = await tx.conversation.update({
        where: { id },
        data: { version: { increment: 1 }, updated_at: new Date() },
      });
      const appended = await append(tx, row, caller, messages);
      const all = await tx.conversationMessage.findMany({ where: { conversation_id: id }, ...bySeq });
      return {
        conversation: toConversation(row, all),
        appended: appended.map(toMessage),
        lastSeq: all.at(-1)?.seq ?? 0,
      };
    },

    /** @throws AppError not_found, precondition_failed, conflict when `metadata.version` is not current. */
    async update(tx: Tx, caller: Caller, target: Target, changes: ConversationChanges): Promise<Conversation> {
      const row = await changeRecord(tx, caller, CONVERSATIONS, target, changes, (id, data) =>
        tx.conversation.update({ where: { id }, data, include: { messages: bySeq } }),
      );
      return toConversation(row, row.messages);
    },

    /** @throws AppError not_found, precondition_failed */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      removeRecord(tx, caller, CONVERSATIONS, target, (id) => tx.conversation.delete({ where: { id } })),
  };
}
export type ConversationStore = ReturnType<typeof createConversationStore>;
