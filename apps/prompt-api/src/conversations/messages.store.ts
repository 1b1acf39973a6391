import { newId, Prisma, storableText, type Tx } from '@millwright/db';
import type { ModelImage, ModelToolCall } from '@millwright/models';
import { readImages } from './read-images.js';
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
  /** Images of the message, as JSON text. */
  images?: string;
  /** Calls of the client's functions that the model wrote. */
  tool_calls?: { id: string; name: string; arguments: string }[];
  /** Id of the tool call whose output the message is. */
  tool_call_id?: string;
}

/** A conversation's history in a request to the model. */
export interface ModelHistory {
  /** Role and content of each message, oldest first. */
  history: {
    role: Message['role'];
    content: string;
    images?: ModelImage[];
    tool_calls?: ModelToolCall[];
    tool_call_id?: string;
  }[];
  /** Number of older turns that were not read, because they exceed any model's window. */
  unread: number;
}

/** Limit in bytes of the messages in one answer; clients request older messages page by page. */
const SHOWN_BYTES = 8 * 1_048_576;
/** Estimated bytes of a message in an answer without its content and references. */
const FRAME_BYTES = 500;
/** Limit in bytes of the history for a model: about two million tokens of prose. */
const HISTORY_BYTES = 8 * 1_048_576;
/** Estimated bytes of a message in a request to the model without its content. */
const SENT_FRAME_BYTES = 64;
/** A `seq` that is greater than that of every message. */
const END = 2_147_483_647;

type Reads = Pick<Tx, '$queryRaw'>;

/** Formats a time as `YYYY-MM-DD hh:mm:ss` in UTC. Only times in the metadata of messages have this form. */
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

/**
 * SQL for the common table `parts`, with a row for each part of a conversation: its own messages and, for a fork, the messages of each
 * ancestor up to the fork.
 */
const partsOf = (ids: readonly string[], until = END) => Prisma.sql`
  RECURSIVE parts (conversation, source, parent, after, until) AS (
    SELECT id, id, parent_id, coalesce(parent_until, 0), ${until}::int FROM conversations WHERE id = ANY (${ids}::uuid[])
    UNION ALL
    SELECT p.conversation, c.id, c.parent_id, coalesce(c.parent_until, 0), least(p.after, p.until)
      FROM parts p JOIN conversations c ON c.id = p.parent)`;

/** SQL condition: message `m` belongs to part `p` of a conversation. */
const IS_IN_PART = Prisma.sql`m.conversation_id = p.source AND m.seq > p.after AND m.seq <= p.until`;

/** Maximum number of bytes of the messages in one answer or request, and how the bytes of a message are counted. */
interface Budget {
  bytes: number;
  /** Number of bytes that each message has in addition to its texts. */
  frame: number;
  /** SQL for the bytes of a message's texts and images. */
  texts: Prisma.Sql;
  /** Number of messages per conversation that are returned regardless of their size. */
  least: number;
}

/** SQL for the common table `fitting`: the newest messages of each conversation that fit into the budget. Sizes are read without the texts. */
const fitting = ({ bytes, frame, texts, least }: Budget) => Prisma.sql`
  fitting AS (
    SELECT conversation, id FROM (
      SELECT p.conversation, own.id, row_number() OVER latest AS place, sum(own.size) OVER latest AS bytes
        FROM parts p CROSS JOIN LATERAL (
          SELECT m.id, m.seq, ${texts} + ${frame}::int AS size FROM conversation_messages m WHERE ${IS_IN_PART}
           ORDER BY m.seq DESC LIMIT ${Math.ceil(bytes / frame)}::int) own
      WINDOW latest AS (PARTITION BY p.conversation ORDER BY own.seq DESC)) sized
     WHERE bytes <= ${bytes}::bigint OR place <= ${least}::int)`;

/** SQL for the bytes of a message's images. */
const IMAGES = Prisma.sql`coalesce(octet_length(m.images), 0)`;
const SHOWN_TEXTS = Prisma.sql`octet_length(m.content) + octet_length(m.reference::text) + ${IMAGES}`;

/**
 * Reads the newest messages of each conversation, oldest first: per conversation, as many messages as fit into `bytes` bytes, but at least `least`
 * messages. `until`: greatest `seq` to read.
 */
function newest(db: Reads, ids: readonly string[], bytes: number, least: number, until?: number) {
  const budget = { bytes, frame: FRAME_BYTES, texts: SHOWN_TEXTS, least };
  return db.$queryRaw<(MessageRow & { conversation: string })[]>`
    WITH ${partsOf(ids, until)}, ${fitting(budget)}
    SELECT f.conversation, m.* FROM fitting f JOIN conversation_messages m USING (id) ORDER BY f.conversation, m.seq`;
}

/** Reads the newest messages of one conversation before the `seq` `before`, oldest first. */
export const shownMessages = (db: Reads, conversationId: string, before?: number): Promise<MessageRow[]> =>
  newest(db, [conversationId], SHOWN_BYTES, 1, before === undefined ? undefined : before - 1);

/** Reads the newest messages of each conversation of a list. Every conversation gets an equal share of the bytes. */
export async function listedMessages(db: Reads, ids: readonly string[]): Promise<Map<string, MessageRow[]>> {
  const rows = ids.length === 0 ? [] : await newest(db, ids, Math.floor(SHOWN_BYTES / ids.length), 0);
  return Map.groupBy(rows, (row) => row.conversation);
}

interface HistoryRow {
  seq: number;
  role: Message['role'];
  content: string;
  images: string | null;
  tool_calls: ModelToolCall[] | null;
  tool_call_id: string | null;
}

/** Reads the history for a request to the model; `until`: `seq` of the last message. */
export async function modelHistory(db: Reads, conversationId: string, until = END): Promise<ModelHistory> {
  const budget = {
    bytes: HISTORY_BYTES,
    frame: SENT_FRAME_BYTES,
    texts: Prisma.sql`octet_length(m.content) + ${IMAGES} + coalesce(octet_length(m.tool_calls::text), 0)`,
    least: 0,
  };
  const rows = await db.$queryRaw<HistoryRow[]>`
    WITH ${partsOf([conversationId], until)}, ${fitting(budget)}
    SELECT m.seq, m.role, m.content, m.images, m.tool_calls, m.tool_call_id FROM fitting JOIN conversation_messages m USING (id) ORDER BY m.seq`;
  // A shortened history begins with a whole turn, because a model cannot use an answer without the message that it answers.
  const isCut = rows[0] !== undefined && rows[0].seq > 1;
  const first = isCut ? rows.findIndex(({ role }) => role === 'user') : 0;
  const whole = first < 0 ? [] : rows.slice(first);
  const [count] = await db.$queryRaw<{ turns: number }[]>`
    WITH ${partsOf([conversationId], whole[0] ? whole[0].seq - 1 : until)}
    SELECT count(*)::int AS turns FROM parts p JOIN conversation_messages m ON ${IS_IN_PART} WHERE m.role = 'user'`;
  const history = whole.map(({ role, content, images, tool_calls: calls, tool_call_id: call }) => ({
    ...{ role, content },
    ...(images !== null && { images: readImages(images) }),
    ...(calls && { tool_calls: calls }),
    ...(call !== null && { tool_call_id: call }),
  }));
  return { history, unread: count?.turns ?? 0 };
}

/** A page of messages of one conversation. */
export interface MessagePage {
  /** Greatest `seq` of the listed messages. */
  until?: number | undefined;
  order: 'asc' | 'desc';
  /** `seq` of the page's first message in the order of the page. */
  from?: number | undefined;
  limit: number;
}

/**
 * Reads a page of messages in the page's order: at most 8 MiB, but at least one message. `hasMore`: whether more messages follow in this
 * order.
 */
export async function pageOfMessages(
  db: Reads,
  conversationId: string,
  { until = END, order, from, limit }: MessagePage,
): Promise<{ rows: MessageRow[]; hasMore: boolean }> {
  const direction = Prisma.raw(order === 'asc' ? 'ASC' : 'DESC');
  const last = order === 'desc' && from !== undefined ? Math.min(from, until) : until;
  const first = order === 'asc' ? (from ?? 1) : 1;
  const rows = await db.$queryRaw<MessageRow[]>`
    WITH ${partsOf([conversationId], last)}, page AS (
      SELECT id, bytes, place FROM (
        SELECT own.id, own.seq, row_number() OVER ordered AS place, sum(own.size) OVER ordered AS bytes
          FROM parts p CROSS JOIN LATERAL (
            SELECT m.id, m.seq, octet_length(m.content) + ${IMAGES} + coalesce(octet_length(m.tool_calls::text), 0) + ${FRAME_BYTES}::int AS size
              FROM conversation_messages m WHERE ${IS_IN_PART} AND m.seq >= ${first}::int
             ORDER BY m.seq ${direction} LIMIT ${limit + 1}::int) own
        WINDOW ordered AS (ORDER BY own.seq ${direction})) sized
       ORDER BY place LIMIT ${limit + 1}::int)
    SELECT m.* FROM page JOIN conversation_messages m USING (id)
     WHERE page.place = 1 OR (page.place <= ${limit}::int AND page.bytes <= ${SHOWN_BYTES}::bigint) ORDER BY m.seq ${direction}`;
  const end = rows.at(-1);
  if (!end) return { rows, hasMore: false };
  const [more] = await db.$queryRaw<{ more: boolean }[]>`
    WITH ${partsOf([conversationId], last)}
    SELECT EXISTS (SELECT FROM parts p JOIN conversation_messages m ON ${IS_IN_PART}
                    WHERE m.seq ${Prisma.raw(order === 'asc' ? '>' : '<')} ${end.seq}::int) AS more`;
  return { rows, hasMore: more?.more === true };
}

/**
 * Reads messages of the project by their ids. Messages of deleted conversations are left out.
 *
 * @returns `undefined` when the messages have more than 8 MiB together
 */
export async function messagesById(
  db: Reads,
  project: string,
  ids: readonly string[],
): Promise<MessageRow[] | undefined> {
  const found = Prisma.sql`conversation_messages m JOIN conversations c ON c.id = m.conversation_id
     WHERE m.id = ANY(${ids}::uuid[]) AND c.project = ${project} AND c.deleted_at IS NULL`;
  const [sum] = await db.$queryRaw<{ is_large: boolean }[]>`
    SELECT coalesce(sum(octet_length(m.content) + ${IMAGES} + coalesce(octet_length(m.tool_calls::text), 0)), 0) > ${SHOWN_BYTES}::bigint AS is_large
      FROM ${found}`;
  return sum?.is_large ? undefined : db.$queryRaw<MessageRow[]>`SELECT m.* FROM ${found}`;
}

/** Returns the `seq` of a message of the conversation, which may be shared with a parent; `undefined` when the conversation has no such message. */
export async function placeOfMessage(db: Reads, conversationId: string, id: string): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ seq: number }[]>`
    WITH ${partsOf([conversationId])}
    SELECT m.seq FROM parts p JOIN conversation_messages m ON ${IS_IN_PART} WHERE m.id = ${id}::uuid`;
  return row?.seq;
}

/** Returns the number of ancestors of a conversation in its chain of forks; 0 when it is not a fork. */
export async function forkDepth(db: Reads, conversationId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ depth: number }[]>`
    WITH ${partsOf([conversationId])} SELECT count(*)::int - 1 AS depth FROM parts`;
  return row?.depth ?? 0;
}

/** Returns the `seq` of the last message, even if this message was deleted; 0 for a conversation that never had messages. */
export async function lastSeq(db: Reads, conversationId: string): Promise<number> {
  const [last] = await db.$queryRaw<{ seq: number }[]>`
    SELECT greatest((SELECT max(seq) FROM conversation_messages WHERE conversation_id = c.id), c.parent_until, c.deleted_until) AS seq
      FROM conversations c WHERE c.id = ${conversationId}::uuid`;
  return last?.seq ?? 0;
}

/** Whether an answer can hold all of these messages. Their bytes are estimated, never below the number that the database counts. */
export const fitsAnswer = (messages: readonly Message[]): boolean =>
  messages.reduce(
    (bytes, { content, reference }) =>
      bytes + FRAME_BYTES + Buffer.byteLength(content) + 2 * Buffer.byteLength(JSON.stringify(reference)),
    0,
  ) <= SHOWN_BYTES;

/**
 * Prepares messages for insertion into a conversation. `first`: `seq` of the first message.
 *
 * @returns the rows without their time, and the SQL that inserts the rows
 */
export function newMessages(conversationId: string, author: string, messages: readonly NewMessage[], first: number) {
  const rows = messages.map((message, index) => ({
    id: message.id ?? newId(),
    conversation_id: conversationId,
    seq: first + index,
    role: message.role,
    content: storableText(message.content),
    reference: message.reference ?? [],
    model: message.model,
    tool_calls: message.tool_calls ?? null,
    tool_call_id: message.tool_call_id ?? null,
    images: message.images ?? null,
    author,
  }));
  const insert = Prisma.sql`
    INSERT INTO conversation_messages (id, conversation_id, seq, role, content, reference, model, tool_calls, tool_call_id, images, author)
    SELECT m.id, ${conversationId}::uuid, m.seq, m.role, m.content, m.reference::jsonb, m.model, m.tool_calls::json, m.tool_call_id,
           m.images, ${author}
      FROM unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ seq }) => seq)}::int[], ${rows.map(({ role }) => role)}::text[],
                  ${rows.map(({ content }) => content)}::text[], ${rows.map(({ reference }) => JSON.stringify(reference))}::text[],
                  ${rows.map(({ model }) => model)}::text[],
                  ${rows.map(({ tool_calls: calls }) => (calls ? JSON.stringify(calls) : null))}::text[],
                  ${rows.map(({ tool_call_id: call }) => call)}::text[], ${rows.map(({ images }) => images)}::text[])
             AS m (id, seq, role, content, reference, model, tool_calls, tool_call_id, images)`;
  return { rows, insert };
}

/** Appends messages after the conversation's last message. */
export async function append(
  tx: Tx,
  conversationId: string,
  author: string,
  messages: readonly NewMessage[],
): Promise<MessageRow[]> {
  const { rows, insert } = newMessages(conversationId, author, messages, (await lastSeq(tx, conversationId)) + 1);
  const [inserted] = await tx.$queryRaw<{ created_at: Date }[]>`${insert} RETURNING created_at`;
  return inserted ? rows.map((row) => ({ ...row, ...inserted })) : [];
}
