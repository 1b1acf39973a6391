import { newId, storableText, type Tx } from '@millwright/db';
import type { Message } from './conversations.contract.js';

export type MessageRow = NonNullable<Awaited<ReturnType<Tx['conversationMessage']['findFirst']>>>;

/** A message to append. */
export interface NewMessage {
  /** Id of the message; generated when left out. */
  id?: string;
  role: Message['role'];
  content: string;
  model: string;
  /** Artifacts and blocks that the message refers to. */
  reference?: Message['reference'];
}

/** A conversation's history in a request to the model. */
export interface ToldHistory {
  /** Role and content of each message, oldest first. */
  history: { role: Message['role']; content: string }[];
  /** Number of older turns, which exceed any model's window. */
  unread: number;
}

/** Limit in bytes of the messages in one answer; clients page to older ones. */
const SHOWN_BYTES = 8 * 1_048_576;
/** Bytes of a message in an answer besides its content and references. */
const FRAME_BYTES = 500;
/** Limit in bytes of the history for a model: about two million tokens of prose. */
const HISTORY_BYTES = 8 * 1_048_576;
/** Bytes of a message in memory besides its content, in a request to the model. */
const TOLD_FRAME_BYTES = 64;
/** Place after the last message. */
const END = 2_147_483_647;

type Reads = Pick<Tx, '$queryRaw'>;

/** `YYYY-MM-DD hh:mm:ss`, UTC: the form of times in a message's metadata, and nowhere else. */
function messageTime(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}

export function toMessage(row: MessageRow): Message {
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

/** Newest messages of each conversation that fit into `bytes`, and at least the newest `least` of any size, oldest first. */
function newest(db: Reads, ids: readonly string[], bytes: number, least: number, before = END) {
  return db.$queryRaw<MessageRow[]>`
    SELECT m.* FROM unnest(${ids}::uuid[]) AS c (id) CROSS JOIN LATERAL (
      SELECT n.*, sum(octet_length(content) + octet_length(reference::text) + ${FRAME_BYTES}::int) OVER latest AS bytes,
             row_number() OVER latest AS place
        FROM (SELECT * FROM conversation_messages WHERE conversation_id = c.id AND seq < ${before}::int
               ORDER BY seq DESC LIMIT ${Math.ceil(bytes / FRAME_BYTES)}::int) n
      WINDOW latest AS (ORDER BY seq DESC)) m
     WHERE m.bytes <= ${bytes}::bigint OR m.place <= ${least}::int ORDER BY m.conversation_id, m.seq`;
}

/** Newest messages of one conversation before the place `before`, oldest first. */
export const shownMessages = (db: Reads, conversationId: string, before?: number): Promise<MessageRow[]> =>
  newest(db, [conversationId], SHOWN_BYTES, 1, before);

/** Newest messages of each conversation of a list, in equal shares. */
export async function listedMessages(db: Reads, ids: readonly string[]): Promise<Map<string, MessageRow[]>> {
  const rows = ids.length === 0 ? [] : await newest(db, ids, Math.floor(SHOWN_BYTES / ids.length), 0);
  return Map.groupBy(rows, (row) => row.conversation_id);
}

/** History for a request to the model; `until` is the place of the last message. */
export async function toldMessages(db: Reads, conversationId: string, until = END): Promise<ToldHistory> {
  const rows = await db.$queryRaw<{ seq: number; role: Message['role']; content: string }[]>`
    SELECT seq, role, content FROM (
      SELECT seq, role, content, sum(octet_length(content) + ${TOLD_FRAME_BYTES}::int) OVER (ORDER BY seq DESC) AS bytes
        FROM conversation_messages WHERE conversation_id = ${conversationId}::uuid AND seq <= ${until}::int) m
     WHERE bytes <= ${HISTORY_BYTES}::bigint ORDER BY seq`;
  // A model cannot use an answer without its message: a shortened history begins with a whole turn.
  const isCut = rows[0] !== undefined && rows[0].seq > 1;
  const first = isCut ? rows.findIndex(({ role }) => role === 'user') : 0;
  const whole = first < 0 ? [] : rows.slice(first);
  const [count] = await db.$queryRaw<{ turns: number }[]>`
    SELECT count(*)::int AS turns FROM conversation_messages
     WHERE conversation_id = ${conversationId}::uuid AND role = 'user' AND seq < ${whole[0]?.seq ?? Math.min(until, END - 1) + 1}::int`;
  return { history: whole.map(({ role, content }) => ({ role, content })), unread: count?.turns ?? 0 };
}

/** Place of the last message; 0 without messages. */
export async function lastSeq(tx: Tx, conversationId: string): Promise<number> {
  const last = await tx.conversationMessage.aggregate({
    where: { conversation_id: conversationId },
    _max: { seq: true },
  });
  return last._max.seq ?? 0;
}

/** Appends messages. */
export async function append(tx: Tx, conversationId: string, author: string, messages: readonly NewMessage[]) {
  const first = (await lastSeq(tx, conversationId)) + 1;
  const rows = await tx.conversationMessage.createManyAndReturn({
    data: messages.map((message, index) => ({
      ...message,
      content: storableText(message.content),
      id: message.id ?? newId(),
      conversation_id: conversationId,
      seq: first + index,
      author,
    })),
  });
  return rows.sort((a, b) => a.seq - b.seq);
}

/** Copies the messages of another conversation up to `until`, within the database. */
export async function copyMessages(tx: Tx, from: { id: string; until: number }, to: string, author: string) {
  const ids = Array.from({ length: from.until }, newId);
  await tx.$executeRaw`
    INSERT INTO conversation_messages (id, conversation_id, seq, role, content, reference, model, author)
    SELECT n.id, ${to}::uuid, m.seq, m.role, m.content, m.reference, m.model, ${author}
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS n (id, seq)
      JOIN conversation_messages m ON m.conversation_id = ${from.id}::uuid AND m.seq = n.seq`;
}
