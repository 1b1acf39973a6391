import { decodeId, encodeId } from '@millwright/db';
import type { ModelToolCall } from '@millwright/models';
import { z } from 'zod';
import type { MessageRow } from './messages.store.js';
import { readImages } from './read-images.js';

/** This file converts messages to OpenAI's items. A message with calls of functions becomes several items. */

const ItemContent = z.union([
  z.object({ type: z.literal('input_text'), text: z.string() }),
  z.object({
    type: z.literal('input_image'),
    image_url: z.string().meta({ description: 'The image as a data URL, or its address' }),
    detail: z.enum(['auto', 'low', 'high']),
    file_id: z.null().meta({ description: 'Always null' }),
  }),
  z.object({ type: z.literal('output_text'), text: z.string(), annotations: z.array(z.unknown()) }),
]);

export const Item = z
  .union([
    z.object({
      id: z.string(),
      type: z.literal('message'),
      role: z.enum(['user', 'assistant', 'system']),
      status: z.literal('completed'),
      content: z.array(ItemContent),
    }),
    z.object({
      id: z.string(),
      type: z.literal('function_call'),
      status: z.literal('completed'),
      call_id: z.string(),
      name: z.string(),
      arguments: z.string(),
    }),
    z.object({
      id: z.string(),
      type: z.literal('function_call_output'),
      status: z.literal('completed'),
      call_id: z.string(),
      output: z.union([z.string(), z.array(ItemContent)]).meta({ description: 'A list when it has images' }),
    }),
  ])
  .meta({ title: 'ConversationItem' });
export type Item = z.output<typeof Item>;

/** A page of items in the form of OpenAI's lists. */
export const ItemList = z.object({
  object: z.literal('list'),
  data: z.array(Item),
  first_id: z.string().nullable().meta({ description: 'Id of the first item of the page' }),
  last_id: z.string().nullable().meta({ description: 'Id of the last item of the page, for `after`' }),
  has_more: z.boolean().meta({ description: 'Whether items follow' }),
});
export type ItemList = z.output<typeof ItemList>;

export const ItemListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: '`desc`: the newest first' }),
  after: z.string().max(100).optional().meta({ description: 'Id of an item; the page begins after it' }),
});
export type ItemListQuery = z.output<typeof ItemListQuery>;

const bare = (uuid: string) => encodeId('msg', uuid).slice('msg_'.length);

export const messageItemId = (uuid: string): string => encodeId('msg', uuid);
/** Returns the id of a function call. `index`: index of the call among the calls of its message. */
export const callItemId = (uuid: string, index: number): string => `fc_${bare(uuid)}_${index}`;
const outputItemId = (uuid: string): string => `fco_${bare(uuid)}`;

/** Parses an item's id to the id of its message and, for a call, the index of the call; `undefined` for an id of another form. */
export function messageOfItem(id: string): { uuid: string; call?: number } | undefined {
  const [, prefix = '', text = '', index] = /^(msg|fc|fco)_([0-9A-Za-z]{22})(?:_(\d{1,3}))?$/.exec(id) ?? [];
  const uuid = decodeId('msg', `msg_${text}`);
  if (uuid === undefined || (prefix === 'fc') !== (index !== undefined)) return undefined;
  return { uuid, ...(index !== undefined && { call: Number(index) }) };
}

type Row = Pick<MessageRow, 'id' | 'role' | 'content' | 'images' | 'tool_calls' | 'tool_call_id'>;

/** A stored call. `place`: original index of the call in its message, which is stored only after another item of the message was deleted. */
type StoredCall = ModelToolCall & { place?: number };

/** Removes an item from a message. @returns the rest of the message; `undefined` when nothing is left; null when the message has no such item */
export function withoutItem(
  row: Row,
  itemId: string,
): (Pick<Row, 'content' | 'images'> & { calls: StoredCall[] }) | undefined | null {
  const items = toItems(row);
  if (!items.some(({ id }) => id === itemId)) return null;
  if (items.length === 1) return undefined;
  const calls = ((row.tool_calls ?? []) as unknown as StoredCall[]).map((call, index) => ({ place: index, ...call }));
  if (itemId === messageItemId(row.id)) return { content: '', images: null, calls };
  return {
    content: row.content,
    images: row.images,
    calls: calls.filter(({ place }) => callItemId(row.id, place) !== itemId),
  };
}

/** Returns the items of a message: first its text, then its calls. A message without calls has one item, even when its text is empty. */
export function toItems({ id, role, content, images, tool_calls, tool_call_id: answered }: Row): Item[] {
  const status = 'completed' as const;
  const shown = readImages(images).map(({ url, detail = 'auto' as const }) => ({
    ...{ type: 'input_image' as const, image_url: url, detail, file_id: null },
  }));
  if (role === 'tool') {
    const output = shown.length === 0 ? content : [{ type: 'input_text' as const, text: content }, ...shown];
    return [{ id: outputItemId(id), type: 'function_call_output', status, call_id: answered ?? '', output }];
  }
  const calls = ((tool_calls ?? []) as unknown as StoredCall[]).map(
    ({ id: call_id, name, arguments: args, place }, index): Item => ({
      ...{ id: callItemId(id, place ?? index), type: 'function_call', status, call_id, name, arguments: args },
    }),
  );
  if (content === '' && calls.length > 0) return calls;
  const part =
    role === 'assistant'
      ? { type: 'output_text' as const, text: content, annotations: [] }
      : { type: 'input_text' as const, text: content };
  const parts = content === '' && shown.length > 0 ? shown : [part, ...shown];
  const author = role as 'user' | 'assistant' | 'system';
  return [{ id: messageItemId(id), type: 'message', role: author, status, content: parts }, ...calls];
}

/** Makes a page of items from a page of messages, which begins with the message of the item `after`. */
export function pageOfItems(
  { rows, hasMore }: { rows: readonly Row[]; hasMore: boolean },
  { limit, order, after }: ItemListQuery,
): ItemList {
  const all = rows.flatMap((row) => (order === 'asc' ? toItems(row) : toItems(row).reverse()));
  const following = after === undefined ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
  const data = following.slice(0, limit);
  return listOfItems(data, hasMore || following.length > data.length);
}

export function listOfItems(data: Item[], hasMore: boolean): ItemList {
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}
