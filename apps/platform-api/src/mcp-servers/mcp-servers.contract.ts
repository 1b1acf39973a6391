import { CLIENT_AUTH } from '@millwright/catalog';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

/** `unreachable` is found out, not set. */
const Status = z.enum(['active', 'inactive', 'unreachable']);

/** What a header's value is read as; sent back, it keeps the value. */
export const KEPT = '********';

const ShownSecret = z.literal(KEPT).optional();

/** How we prove ourselves to the server, besides its headers. */
const Auth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({
    type: z.literal('client_credentials'),
    token_url: z.string(),
    client_id: z.string(),
    client_secret: z.literal(KEPT),
    client_auth: z.enum(['client_secret_basic', 'client_secret_post']),
    scope: z.string().optional(),
  }),
  z.object({
    type: z.literal('user'),
    issuer: z.string().optional(),
    client_id: z.string().optional(),
    client_secret: ShownSecret,
    client_auth: z.enum(CLIENT_AUTH).optional(),
    scope: z.string().optional(),
  }),
]);

/** Decisions §3, "MCP server". */
export const McpServer = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  description: z.string(),
  headers: z.record(z.string(), z.literal(KEPT)),
  auth: Auth,
  status: Status,
  transport: z.literal('streamable-http'),
  /** Tools wait for approval when they are new or have changed. Only an admin turns it off. */
  pin_tools: z.boolean(),
  tools_count: z.int(),
  last_seen_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type McpServer = z.output<typeof McpServer>;

/** Those that the protocol and the connection set themselves. */
const OWN_HEADERS =
  /^(accept|connection|content-.*|cookie|expect|host|keep-alive|last-event-id|mcp-.*|origin|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

const HeaderName = z
  .string()
  .max(100)
  .transform((name) => name.toLowerCase())
  .refine((name) => /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) && !OWN_HEADERS.test(name), 'is not allowed as a name');
const HeaderValue = z
  .string()
  .max(4_096)
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/);
const Headers = z
  .record(HeaderName, HeaderValue)
  .refine((headers) => Object.keys(headers).length <= 20, 'must have at most 20 entries');

/** RFC 6749 appendix A. */
const ClientId = z
  .string()
  .max(500)
  .regex(/^[\x20-\x7e]+$/);
const ClientSecret = z
  .string()
  .max(4_096)
  .regex(/^[\x20-\x7e]+$/);
const AuthScope = z
  .string()
  .max(1_000)
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/);
const Address = z.string().min(1).max(2_000);

const NewAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({
    type: z.literal('client_credentials'),
    token_url: Address,
    client_id: ClientId,
    client_secret: ClientSecret,
    client_auth: z.enum(['client_secret_basic', 'client_secret_post']).default('client_secret_basic'),
    scope: AuthScope.optional(),
  }),
  z
    .strictObject({
      type: z.literal('user'),
      issuer: Address.optional(),
      client_id: ClientId.optional(),
      client_secret: ClientSecret.optional(),
      client_auth: z.enum(CLIENT_AUTH).optional(),
      scope: AuthScope.optional(),
    })
    .superRefine(requireWholeClient),
]);
export type NewAuth = z.output<typeof NewAuth>;

interface GivenClient {
  issuer?: string | undefined;
  client_id?: string | undefined;
  client_secret?: string | undefined;
  client_auth?: string | undefined;
}

/** A client is known to one authorization server (2026-07-28, "Client registration"), and proves itself as it can. */
function requireWholeClient({ issuer, client_id, client_secret, client_auth }: GivenClient, context: z.RefinementCtx) {
  const fault = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (client_id !== undefined && issuer === undefined) fault('issuer', 'is required with client_id');
  if (client_id === undefined && (client_secret ?? client_auth) !== undefined)
    fault('client_id', 'is required with client_secret and client_auth');
  if (client_auth !== undefined && (client_auth === 'none') !== (client_secret === undefined))
    fault('client_auth', 'must be none exactly without client_secret');
}

const fields = {
  name: z.string().trim().min(1).max(200),
  url: z.string().min(1).max(2_000),
  description: z.string().max(2_000),
  headers: Headers,
  auth: NewAuth,
  pin_tools: z.boolean(),
};
export const NewMcpServer = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  headers: Headers.default({}),
  auth: NewAuth.default({ type: 'none' }),
  pin_tools: fields.pin_tools.default(true),
});
export type NewMcpServer = z.output<typeof NewMcpServer>;

/** Accepted from a client that sends back what it read, and ignored. */
const Ignored = z
  .unknown()
  .optional()
  .transform(() => undefined);

export const McpServerChanges = z
  .strictObject({ ...fields, status: Status })
  .partial()
  .extend({ slug: Ignored, transport: Ignored, tools_count: Ignored, last_seen_at: Ignored });
export type McpServerChanges = z.output<typeof McpServerChanges>;

export const McpTool = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
});
export type McpTool = z.output<typeof McpTool>;

/** Everything that a server says of a tool but its name. What it does not say is not there. */
const ToolDefinition = McpTool.omit({ name: true }).extend({
  title: z.string().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  /** By the protocol's names: `icons`, `execution`, `_meta`, and what nobody knows yet. */
  other_members: z.record(z.string(), z.unknown()).optional(),
});
export type ToolDefinition = z.output<typeof ToolDefinition>;

/** A tool that is not on offer because it is not what was approved. */
export const QuarantinedTool = z.object({
  name: z.string(),
  reason: z.enum(['new', 'changed', 'removed']),
  /** Names what is approved by approving: send it. Null for a tool that is gone. */
  hash: z.string().nullable(),
  approved: ToolDefinition.nullable(),
  current: ToolDefinition.nullable(),
  difference: z.array(
    z.object({ path: z.string(), approved: z.unknown().optional(), current: z.unknown().optional() }),
  ),
});
export type QuarantinedTool = z.output<typeof QuarantinedTool>;

export const Approval = z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/) });

export const ServerListQuery = ListQuery.extend({ status: Status.optional() });
export type ServerListQuery = z.output<typeof ServerListQuery>;
export const ToolListQuery = ListQuery.omit({ status: true });
export type ToolListQuery = z.output<typeof ToolListQuery>;

const params = z.object({ server_id: z.string() });
const one = { status: 200, description: 'The MCP server', body: McpServer } as const;

export const listMcpServers = endpoint({
  operationId: 'listMcpServers',
  method: 'GET',
  path: '/api/v1/mcp/servers',
  summary: 'List registered MCP servers',
  tag: 'MCP servers',
  scope: 'mcp:read',
  limit: 'credential',
  query: ServerListQuery,
  success: { status: 200, description: 'A page of MCP servers', body: listOf(McpServer) },
  errors: [],
});

export const registerMcpServer = endpoint({
  operationId: 'registerMcpServer',
  method: 'POST',
  path: '/api/v1/mcp/servers',
  summary: 'Register an MCP server; its tools are read, and approved, in the background',
  tag: 'MCP servers',
  scope: 'mcp:write',
  limit: 'credential',
  body: NewMcpServer,
  success: { status: 201, description: 'The new MCP server', body: McpServer },
  errors: ['conflict'],
  long: true,
});

export const getMcpServer = endpoint({
  operationId: 'getMcpServer',
  method: 'GET',
  path: '/api/v1/mcp/servers/{server_id}',
  summary: 'Retrieve an MCP server',
  tag: 'MCP servers',
  scope: 'mcp:read',
  limit: 'credential',
  params,
  success: one,
  errors: [],
});

export const updateMcpServer = endpoint({
  operationId: 'updateMcpServer',
  method: 'PATCH',
  path: '/api/v1/mcp/servers/{server_id}',
  summary: 'Update fields of an MCP server; another url clears what was approved',
  tag: 'MCP servers',
  scope: 'mcp:write',
  limit: 'credential',
  params,
  body: McpServerChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteMcpServer = endpoint({
  operationId: 'deleteMcpServer',
  method: 'DELETE',
  path: '/api/v1/mcp/servers/{server_id}',
  summary: 'Remove an MCP server; agents lose it',
  tag: 'MCP servers',
  scope: 'mcp:write',
  limit: 'credential',
  params,
  success: { status: 204, description: 'Removed' },
  errors: ['precondition_failed'],
});

export const refreshMcpServer = endpoint({
  operationId: 'refreshMcpServer',
  method: 'POST',
  path: '/api/v1/mcp/servers/{server_id}/refresh',
  summary: 'Read the tools of an MCP server now',
  tag: 'MCP servers',
  scope: 'mcp:write',
  limit: 'credential',
  params,
  success: one,
  errors: ['conflict'],
  long: true,
});

export const listMcpServerTools = endpoint({
  operationId: 'listMcpServerTools',
  method: 'GET',
  path: '/api/v1/mcp/servers/{server_id}/tools',
  summary: 'List tools of the server that are on offer, as they were approved',
  tag: 'MCP servers',
  scope: 'mcp:read',
  limit: 'credential',
  params,
  query: ToolListQuery,
  success: { status: 200, description: 'A page of tools', body: listOf(McpTool) },
  errors: [],
});

export const listQuarantinedTools = endpoint({
  operationId: 'listQuarantinedTools',
  method: 'GET',
  path: '/api/v1/mcp/servers/{server_id}/tools/quarantined',
  summary: 'List tools that are new, changed or gone since they were approved, with their difference',
  tag: 'MCP servers',
  scope: 'mcp:read',
  limit: 'credential',
  params,
  query: ToolListQuery,
  success: { status: 200, description: 'A page of tools that are not on offer', body: listOf(QuarantinedTool) },
  errors: [],
});

export const approveTool = endpoint({
  operationId: 'approveTool',
  method: 'POST',
  path: '/api/v1/mcp/servers/{server_id}/tools/{name}/approve',
  summary: "Approve a tool as it is, by its hash; needs an admin's key",
  tag: 'MCP servers',
  scope: 'mcp:write',
  limit: 'credential',
  params: z.object({ server_id: z.string(), name: z.string() }),
  body: Approval,
  success: { status: 200, description: 'The tool, now on offer', body: McpTool },
  errors: ['precondition_failed'],
});
