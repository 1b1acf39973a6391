import { endpoint } from '@millwright/http';
import { timestamp } from '@millwright/records';
import { z } from 'zod';

/** The namespace of the metadata that a registry adds to its entries, as the official registry defines it. */
export const REGISTRY_META = 'io.modelcontextprotocol.registry/official';

/** Maximum length of titles and descriptions in the registry's schema, in characters. */
export const MOST_CHARACTERS = 100;

const ServerDetail = z.object({
  $schema: z.string(),
  name: z.string().meta({ description: 'Host of this installation in reverse, and the name of the server in paths' }),
  title: z.string().max(MOST_CHARACTERS),
  description: z.string().min(1).max(MOST_CHARACTERS),
  version: z.string().meta({ description: 'Another one after each change of the entry' }),
  remotes: z.array(z.object({ type: z.literal('streamable-http'), url: z.string() })),
});

export const ServerEntry = z.object({
  server: ServerDetail,
  _meta: z.object({
    [REGISTRY_META]: z.object({
      status: z.literal('active'),
      publishedAt: z.string().optional(),
      updatedAt: z.string().optional(),
      isLatest: z.literal(true),
    }),
  }),
});
export type ServerEntry = z.output<typeof ServerEntry>;

const ServerList = z.object({
  servers: z.array(ServerEntry),
  metadata: z.object({
    count: z.int().meta({ description: 'Entries of this page' }),
    nextCursor: z.string().optional().meta({ description: 'Cursor of the next page; absent on the last page' }),
  }),
});
export type ServerList = z.output<typeof ServerList>;

const Version = z.string().max(255);

export const ServerListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(30),
  cursor: z.string().max(200).optional().meta({ description: 'The `nextCursor` of an earlier answer' }),
  search: z.string().max(100).optional().meta({ description: 'A part of the name or title' }),
  updated_since: timestamp.optional(),
  version: Version.optional().meta({ description: '`latest`, or a version' }),
});
export type ServerListQuery = z.output<typeof ServerListQuery>;

const reading = { method: 'GET', tag: 'MCP', access: { scope: 'mcp:read' }, limit: 'credential' } as const;
const named = z.object({ server_name: z.string() });

export const listServerEntries = endpoint({
  ...reading,
  operationId: 'listServerEntries',
  path: '/v0.1/servers',
  summary: 'List the MCP servers in the form of the official MCP registry',
  query: ServerListQuery,
  success: {
    status: 200,
    description: 'A page of servers, in order of their names, the built-in one first',
    body: ServerList,
  },
  errors: [],
});

export const listServerEntryVersions = endpoint({
  ...reading,
  operationId: 'listServerEntryVersions',
  path: '/v0.1/servers/{server_name}/versions',
  summary: 'List the versions of an MCP server, of which there is one at a time',
  params: named,
  success: { status: 200, description: 'The present version', body: ServerList },
  errors: [],
});

export const getServerEntry = endpoint({
  ...reading,
  operationId: 'getServerEntry',
  path: '/v0.1/servers/{server_name}/versions/{version}',
  summary: 'Retrieve the `latest` or the named version of an MCP server, in the form of the official MCP registry',
  params: named.extend({ version: Version }),
  success: { status: 200, description: 'The server', body: ServerEntry },
  errors: [],
});
