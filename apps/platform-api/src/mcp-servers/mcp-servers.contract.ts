import { CLIENT_AUTH } from '@millwright/mcp';
import { CARD_SIGNATURES } from '@millwright/mcp/outside-agents';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

/** Only a probe sets `unreachable`. */
const Status = z.enum(['active', 'inactive', 'unreachable']);

/** `a2a`: an agent of another system, which is used as one tool. */
const Transport = z.enum(['streamable-http', 'a2a']);

/** Mask of each secret in answers. In a request, the mask keeps the stored value. */
export const KEPT = '********';

const ShownSecret = z.literal(KEPT).optional();

/** The authentication of calls of the server, in addition to the headers of the server. */
const Auth = z.discriminatedUnion('type', [
  z.object({ type: z.literal('none') }),
  z.object({ type: z.literal('agent_token'), client_id: z.string().optional(), scope: z.string().optional() }),
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

export const McpServer = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  url: z.string(),
  description: z.string(),
  headers: z.record(z.string(), z.literal(KEPT)),
  auth: Auth,
  status: Status,
  transport: Transport,
  /** The rules for the card of an agent of another system, and the result of its verification; null for an MCP server. */
  agent_card: z
    .object({
      require_signature: z.boolean(),
      jwks_url: z.string().nullable(),
      /** State of the card's signature; null while no card has been read. */
      signature: z.enum(CARD_SIGNATURES).nullable(),
    })
    .nullable(),
  /** Whether new and changed tools wait for approval. Only an admin may turn this off. */
  pin_tools: z.boolean(),
  tools_count: z.int(),
  last_seen_at: z.string().nullable(),
  /** The reason why the server is unreachable; null in any other status. */
  last_error: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type McpServer = z.output<typeof McpServer>;

/** Headers that users must not set, because the protocol and the connection set them. */
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

/** The characters of a client id (RFC 6749 appendix A). */
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

/**
 * Authentication by a token of this installation, which each call contains. The client `client_id`, if set, may exchange the token to call another
 * server.
 */
export const AgentTokenAuth = z.strictObject({
  type: z.literal('agent_token'),
  client_id: ClientId.optional(),
  scope: AuthScope.optional(),
});

const NewAuth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  AgentTokenAuth,
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

/**
 * Requires complete settings of a client. A client id is valid at one authorization server only, and the client must authenticate there as it is
 * registered (2026-07-28, "Client registration").
 */
function requireWholeClient({ issuer, client_id, client_secret, client_auth }: GivenClient, context: z.RefinementCtx) {
  const fault = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  if (client_id !== undefined && issuer === undefined) fault('issuer', 'is required with client_id');
  if (client_id === undefined && (client_secret ?? client_auth) !== undefined)
    fault('client_id', 'is required with client_secret and client_auth');
  if (client_auth !== undefined && (client_auth === 'none') !== (client_secret === undefined))
    fault('client_auth', 'must be none exactly without client_secret');
}

/** Fields that are accepted and ignored, so that a client may send back the body of a GET. */
const Ignored = z
  .unknown()
  .optional()
  .transform(() => undefined);

/** The rules for the card of an agent of another system. Null for MCP servers. */
const NewAgentCard = z
  .strictObject({
    /** Whether a card without a valid signature makes the agent unreachable. */
    require_signature: z.boolean().default(false),
    /** Address of the keys that may sign the card. Default: the address in the signature, at the origin of the card. */
    jwks_url: Address.nullable().default(null),
    signature: Ignored,
  })
  .nullable();
export type NewAgentCard = z.output<typeof NewAgentCard>;

const fields = {
  name: z.string().trim().min(1).max(200),
  url: z.string().min(1).max(2_000),
  description: z.string().max(2_000),
  headers: Headers,
  auth: NewAuth,
  agent_card: NewAgentCard,
  pin_tools: z.boolean(),
};
export const NewMcpServer = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  headers: Headers.default({}),
  auth: NewAuth.default({ type: 'none' }),
  transport: Transport.default('streamable-http'),
  agent_card: NewAgentCard.default(null),
  pin_tools: fields.pin_tools.default(true),
});
export type NewMcpServer = z.output<typeof NewMcpServer>;

export const McpServerChanges = z
  .strictObject({ ...fields, status: Status })
  .partial()
  .extend({ slug: Ignored, transport: Ignored, tools_count: Ignored, last_seen_at: Ignored, last_error: Ignored });
export type McpServerChanges = z.output<typeof McpServerChanges>;

export const McpTool = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
});
export type McpTool = z.output<typeof McpTool>;

/** A tool as its server describes it, without the name. Members that the server does not send are absent. */
const ToolDefinition = McpTool.omit({ name: true }).extend({
  title: z.string().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  output_schema: z.record(z.string(), z.unknown()).optional(),
  /** All other members of the definition, under their names in the protocol: `icons`, `execution`, `_meta` and members of later versions. */
  other_members: z.record(z.string(), z.unknown()).optional(),
});
export type ToolDefinition = z.output<typeof ToolDefinition>;

/** A tool that is not available because it is new, or because it differs from its approved definition. */
export const QuarantinedTool = z.object({
  name: z.string(),
  reason: z.enum(['new', 'changed', 'removed']),
  /** Hash of the current definition, which an approval has to name. Null for a removed tool. */
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

const mcpServers = { tag: 'MCP servers', limit: 'credential' } as const;

export const listMcpServers = endpoint({
  ...mcpServers,
  operationId: 'listMcpServers',
  method: 'GET',
  path: '/api/v1/mcp/servers',
  summary: 'List registered MCP servers',
  access: { scope: 'mcp:read' },
  query: ServerListQuery,
  success: { status: 200, description: 'A page of MCP servers', body: listOf(McpServer) },
  errors: [],
});

export const registerMcpServer = endpoint({
  ...mcpServers,
  operationId: 'registerMcpServer',
  method: 'POST',
  path: '/api/v1/mcp/servers',
  summary: 'Register an MCP server. Its current tools are read and approved in the background.',
  access: { scope: 'mcp:write' },
  body: NewMcpServer,
  success: { status: 201, description: 'The new MCP server', body: McpServer },
  errors: ['conflict'],
  long: true,
});

export const getMcpServer = endpoint({
  ...mcpServers,
  operationId: 'getMcpServer',
  method: 'GET',
  path: '/api/v1/mcp/servers/{server_id}',
  summary: 'Retrieve an MCP server',
  access: { scope: 'mcp:read' },
  params,
  success: one,
  errors: [],
});

export const updateMcpServer = endpoint({
  ...mcpServers,
  operationId: 'updateMcpServer',
  method: 'PATCH',
  path: '/api/v1/mcp/servers/{server_id}',
  summary: 'Update fields of an MCP server. A new url clears the approved tools.',
  access: { scope: 'mcp:write' },
  params,
  body: McpServerChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteMcpServer = endpoint({
  ...mcpServers,
  operationId: 'deleteMcpServer',
  method: 'DELETE',
  path: '/api/v1/mcp/servers/{server_id}',
  summary: 'Delete an MCP server. Agents that use it lose it.',
  access: { scope: 'mcp:write' },
  params,
  success: { status: 204, description: 'Removed' },
  errors: ['precondition_failed'],
});

export const refreshMcpServer = endpoint({
  ...mcpServers,
  operationId: 'refreshMcpServer',
  method: 'POST',
  path: '/api/v1/mcp/servers/{server_id}/refresh',
  summary: 'Read the tools of an MCP server again',
  access: { scope: 'mcp:write' },
  params,
  success: one,
  errors: ['conflict'],
  long: true,
});

export const listMcpServerTools = endpoint({
  ...mcpServers,
  operationId: 'listMcpServerTools',
  method: 'GET',
  path: '/api/v1/mcp/servers/{server_id}/tools',
  summary: 'List the approved tools of an MCP server',
  access: { scope: 'mcp:read' },
  params,
  query: ToolListQuery,
  success: { status: 200, description: 'A page of tools', body: listOf(McpTool) },
  errors: [],
});

export const listQuarantinedTools = endpoint({
  ...mcpServers,
  operationId: 'listQuarantinedTools',
  method: 'GET',
  path: '/api/v1/mcp/servers/{server_id}/tools/quarantined',
  summary: 'List the tools that are new, changed or gone since their approval',
  access: { scope: 'mcp:read' },
  params,
  query: ToolListQuery,
  success: { status: 200, description: 'A page of tools that are not available', body: listOf(QuarantinedTool) },
  errors: [],
});

export const approveTool = endpoint({
  ...mcpServers,
  operationId: 'approveTool',
  method: 'POST',
  path: '/api/v1/mcp/servers/{server_id}/tools/{name}/approve',
  summary: 'Approve a tool by the hash of its definition. Requires a key of an admin with the scope admin.',
  access: { scope: 'mcp:write' },
  params: z.object({ server_id: z.string(), name: z.string() }),
  body: Approval,
  success: { status: 200, description: 'The tool, now on offer', body: McpTool },
  errors: ['precondition_failed'],
});
