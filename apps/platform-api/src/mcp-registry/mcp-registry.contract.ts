import { endpoint } from '@millwright/http';
import { z } from 'zod';

const McpRegistry = z.object({
  url: z.string().nullable().meta({ description: 'Base address of the MCP registry; null: none is configured' }),
});

const DraftHeader = z.object({
  name: z.string(),
  value: z.string().meta({ description: 'What the registry proposes; `{name}` in it stands for a value to enter' }),
  description: z.string(),
  is_required: z.boolean().meta({ description: 'Whether the server needs it' }),
  is_secret: z.boolean().meta({ description: 'Whether its value is a secret' }),
});

/** A value that the user must fill in, because the registry's entry leaves it open. */
const DraftInput = z.object({
  name: z.string().meta({ description: 'It stands in braces in `url`, or in the value of a header' }),
  description: z.string(),
  is_required: z.boolean().meta({ description: 'Whether the server needs it' }),
  is_secret: z.boolean().meta({ description: 'Whether its value is a secret' }),
  choices: z.array(z.string()),
});

/** The fields of a new MCP server for one remote address of an entry, and the values that the user must fill in. */
const ServerDraft = z.object({
  name: z.string(),
  description: z.string(),
  url: z.string().meta({ description: 'The address by Streamable HTTP; `{name}` in it stands for a value to enter' }),
  headers: z.array(DraftHeader),
  inputs: z.array(DraftInput).meta({ description: 'What is to be entered in `url` and `headers`' }),
});
export type ServerDraft = z.output<typeof ServerDraft>;

export const RegistryEntry = z.object({
  name: z.string().meta({ description: 'The name in the registry, with its namespace' }),
  title: z.string().nullable(),
  description: z.string(),
  version: z.string(),
  is_deprecated: z.boolean().meta({ description: 'Whether its author advises against it' }),
  drafts: z.array(ServerDraft).meta({
    description: 'One for each remote address by Streamable HTTP; empty for servers that only run locally',
  }),
});
export type RegistryEntry = z.output<typeof RegistryEntry>;

const FoundEntries = z.object({
  items: z.array(RegistryEntry),
  skipped: z.int().meta({ description: 'Entries of the page that are malformed or too large' }),
  next_cursor: z.string().nullable().meta({ description: 'Cursor of the next page; null on the last page' }),
  error: z.string().nullable().meta({ description: 'Why the registry gave no entries; null: it answered' }),
});
export type FoundEntries = z.output<typeof FoundEntries>;

/** Maximum length of a registry's cursor, in characters. */
export const CURSOR_CHARACTERS = 1_000;

export const RegistryQuery = z.object({
  search: z.string().max(100).optional().meta({ description: 'A part of the name' }),
  cursor: z
    .string()
    .min(1)
    .max(CURSOR_CHARACTERS)
    .optional()
    .meta({ description: '`next_cursor` of an earlier answer' }),
  limit: z.coerce.number().int().min(1).max(50).default(20),
});
export type RegistryQuery = z.output<typeof RegistryQuery>;

const registry = { tag: 'MCP servers', limit: 'credential', method: 'GET' } as const;

export const getMcpRegistry = endpoint({
  ...registry,
  operationId: 'getMcpRegistry',
  path: '/api/v1/mcp/registry',
  summary: 'Retrieve the address of the MCP registry that servers are chosen from',
  access: { scope: 'mcp:read' },
  success: { status: 200, description: 'The registry', body: McpRegistry },
  errors: [],
});

export const searchMcpRegistry = endpoint({
  ...registry,
  operationId: 'searchMcpRegistry',
  path: '/api/v1/mcp/registry/servers',
  summary:
    'Search the MCP registry. Each remote address is a draft for registering a server, which checks it like any other.',
  access: { scope: 'mcp:write' },
  query: RegistryQuery,
  success: { status: 200, description: 'A page of entries', body: FoundEntries },
  errors: ['not_found'],
  long: true,
});
