import { createHash } from 'node:crypto';
import { isStorable } from '@millwright/db';
import { isJsonObject } from '@millwright/json';
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';

/** Limit of a server's tools. A server with more tools is unusable, because no model accepts more. */
export const MOST_TOOLS = 500;
const MOST_PAGES = 50;
const MOST_BYTES = 4 * 1024 * 1024;
const LONGEST_TEXT = 16_384;
const LARGEST_MEMBER_BYTES = 64 * 1024;
const DEEPEST_MEMBER = 32;

const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

const Text = z.string().max(LONGEST_TEXT).refine(isStorable);

const JsonObject = z
  .unknown()
  .refine((value) => isShallow(value, DEEPEST_MEMBER))
  .pipe(z.custom<Record<string, unknown>>(isJsonObject))
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= LARGEST_MEMBER_BYTES);

/** A server's description of a tool, with all its members. */
const Definition = z.object({
  name: z.string().regex(/^[A-Za-z0-9_.-]{1,128}$/),
  description: Text,
  input_schema: JsonObject,
  title: Text.optional(),
  /** Hints such as `readOnlyHint` and `destructiveHint`, by which clients decide whether a call needs their user's consent. */
  annotations: JsonObject.optional(),
  output_schema: JsonObject.optional(),
  /** Other members, by the protocol's names: `icons`, `execution`, `_meta`, and members of later versions. */
  other_members: JsonObject.optional(),
});
export type McpToolDefinition = z.output<typeof Definition>;

/**
 * Lists all tools of a server, except tools that no model accepts and tools that share a name.
 *
 * @throws Error when there are more than {@link MOST_TOOLS} tools, when their total size is too large, or when the pages do not end
 */
export async function readTools(client: Client, signal: AbortSignal): Promise<McpToolDefinition[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const found: McpToolDefinition[] = [];
  let [listed, bytes] = [0, 0];
  for await (const page of readPages(client, signal)) {
    const tools = page.flatMap((tool) => parseTool(tool) ?? []);
    listed += page.length;
    bytes += Buffer.byteLength(JSON.stringify(tools));
    if (listed > MOST_TOOLS) throw new Error(`The server lists more than ${MOST_TOOLS} tools.`);
    if (bytes > MOST_BYTES) throw new Error(`The server's tools have more than ${MOST_BYTES} bytes.`);
    found.push(...tools);
  }
  const byName = Map.groupBy(found, ({ name }) => name);
  return [...byName.values()].flatMap((tools) => (tools.length === 1 ? tools : []));
}

async function* readPages(client: Client, signal: AbortSignal): AsyncGenerator<unknown[]> {
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, Page, { signal });
    yield answer.tools;
    cursor = answer.nextCursor;
    if (cursor === undefined) return;
  }
  throw new Error(`The server lists its tools on more than ${MOST_PAGES} pages.`);
}

/** A listed tool within the limits of a definition; `undefined` for any other tool. */
export const parseTool = (tool: unknown): McpToolDefinition | undefined =>
  Definition.safeParse(definitionOf(tool)).data;

/**
 * Renames the members of a listed tool without checking them. The result is a {@link McpToolDefinition} only if its
 * hash equals that of a checked tool.
 */
export function definitionOf(tool: unknown) {
  const listed = isJsonObject(tool) ? tool : {};
  const { name, title, description = '', inputSchema, outputSchema, annotations, ...others } = listed;
  const other_members = Object.keys(others).length > 0 ? others : undefined;
  return {
    name,
    title,
    description,
    input_schema: inputSchema,
    output_schema: outputSchema,
    annotations,
    other_members,
  };
}

/**
 * SHA-256 of the whole description of a tool, independent of the order of keys. An absent member adds nothing to the
 * hash.
 */
export function hashTool(tool: McpToolDefinition | ReturnType<typeof definitionOf>): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(sorted(tool)))
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  // A list of pairs, because an object would reorder numeric keys and lose `__proto__`.
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => ({ key, member: sorted(member) }));
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}
