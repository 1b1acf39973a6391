import { isToolEntry } from '@millwright/auth/tool-lists';
import { invalidField } from '@millwright/errors';
import { z } from 'zod';
import { unsupported } from '../models/request-fields.js';

/** Maximum number of tools in one list of names. */
const MOST_NAMES = 200;

const ServerToolName = z
  .string()
  .refine((name) => isToolEntry(`s/${name}`) && name !== '*', 'must be the name of a tool');
const Names = z.array(ServerToolName).max(MOST_NAMES);
const ToolFilter = z.strictObject({
  tool_names: Names.nullish().meta({ description: 'Names of tools as the server lists them' }),
  read_only: unsupported().meta({ description: 'Not supported' }),
});

const ApprovalByTool = z.strictObject({
  always: ToolFilter.nullish().meta({
    description: 'Tools whose calls wait for a decision, as those of neither list do',
  }),
  never: ToolFilter.nullish().meta({
    description: 'Tools whose calls wait only where the rules of the project say so',
  }),
});

/** A field with the address or credential of a server. Such fields are refused, because servers are registered with their credentials. */
const registered = z
  .unknown()
  .refine(
    (value) => value === undefined || value === null,
    'is not supported: register the MCP server in the project, and send its slug as server_label',
  )
  .optional()
  .meta({ description: 'Not supported: the MCP server is registered in the project' });

/** Tools of a registered MCP server, which this installation calls. */
export const ServerTools = z.strictObject({
  type: z.literal('mcp'),
  server_label: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the slug of a registered MCP server')
    .meta({
      description:
        'Slug of a registered MCP server of the project; `platform`: the clock and the calculator of this installation',
    }),
  allowed_tools: z
    .union([Names, ToolFilter], 'must be a list of names of tools, or an object with tool_names')
    .nullish()
    .meta({
      description: 'The tools that the model may call; all that the server has and the credential allows by default',
    }),
  require_approval: z
    .union(
      [z.enum(['always', 'never']), ApprovalByTool],
      'must be always, never, or an object with the tool_names of always and never',
    )
    .nullish()
    .meta({
      description:
        'Which calls wait for a decision; `always` by default. It makes the rules of the project stricter, never looser: a tool whose rule is `ask` or `deny` keeps it with `never`',
    }),
  server_description: unsupported().meta({ description: 'Not supported: the descriptions of the tools are sent' }),
  server_url: registered,
  connector_id: registered,
  authorization: registered,
  headers: registered,
});
/** The fields of the tools that a response contains. */
export const ShownServerTools = ServerTools.pick({
  ...{ type: true, server_label: true, allowed_tools: true, require_approval: true },
}).strip();
export type ServerTools = z.output<typeof ServerTools>;

/** A server that a request can name: a registered MCP server, or the tools of this installation. */
export interface NamedServer {
  /** Public id; undefined for the tools of this installation. */
  id: string | undefined;
  status: string;
  /** Names of the available tools. */
  tools: readonly string[];
}

/**
 * The fields of an agent that result from the tools of a request: the public ids of the servers, and the lists of allowed tools and of tools with
 * approval.
 */
export interface AttachedTools {
  mcp_server_ids: string[];
  mcp_tools: string[];
  ask_tools: string[];
}

const namesOf = (filter: ServerTools['allowed_tools']): readonly string[] | undefined =>
  Array.isArray(filter) ? filter : (filter?.tool_names ?? undefined);

type Approval = ServerTools['require_approval'];
const isByTool = (approval: Approval): approval is Exclude<Approval, string | null | undefined> =>
  typeof approval === 'object' && approval !== null;

/** Every tool of a server, including tools that the server gets later. */
const EVERY = ['*'];

/**
 * Returns the tools of a server that the request allows. When the request names no tools, this is `*`. When it also sets the approval by tool, the
 * result lists the names of all tools instead, because each name is then checked for approval.
 */
function allowedOf(
  { allowed_tools, require_approval: approval }: ServerTools,
  { tools }: NamedServer,
): readonly string[] {
  const named = namesOf(allowed_tools);
  if (named) return [...new Set(named)];
  return isByTool(approval) ? tools.filter((name) => ServerToolName.safeParse(name).success) : EVERY;
}

/** Returns the allowed tools whose calls wait for a decision. */
function askedOf({ require_approval: approval }: ServerTools, allowed: readonly string[]): readonly string[] {
  if (approval === 'never') return [];
  if (!isByTool(approval)) return allowed;
  const always = namesOf(approval.always) ?? [];
  const never = namesOf(approval.never) ?? [];
  return allowed.filter((name) => always.includes(name) || !never.includes(name));
}

/** @throws AppError validation_error for a name of a tool that the server does not have */
function requireTools(
  { allowed_tools, require_approval: approval, server_label }: ServerTools,
  server: NamedServer,
  field: string,
): void {
  const { always, never } = isByTool(approval) ? approval : {};
  const lists = { allowed_tools, 'require_approval.always': always, 'require_approval.never': never };
  for (const [name, list] of Object.entries(lists)) {
    const unknown = namesOf(list)?.find((tool) => !server.tools.includes(tool));
    if (unknown !== undefined)
      throw invalidField(
        `${field}.${name}`,
        `names ${unknown}, which ${server_label} does not have, or which is not approved`,
      );
  }
}

/**
 * Converts the tools of MCP servers in a request to the fields of an agent.
 *
 * @throws AppError validation_error for a label that is unknown, repeated or of an inactive server, and for an unknown tool
 */
export function attach(
  tools: readonly { tool: ServerTools; field: string }[],
  servers: ReadonlyMap<string, NamedServer>,
): AttachedTools {
  const attached: AttachedTools = { mcp_server_ids: [], mcp_tools: [], ask_tools: [] };
  const seen = new Set<string>();
  for (const { tool, field } of tools) {
    const label = tool.server_label;
    const server = servers.get(label);
    if (!server) throw invalidField(`${field}.server_label`, 'names no MCP server of the project');
    if (seen.has(label)) throw invalidField(`${field}.server_label`, `names ${label} twice`);
    seen.add(label);
    if (server.status !== 'active')
      throw invalidField(`${field}.server_label`, `names a server that is ${server.status}`);
    requireTools(tool, server, field);
    const allowed = allowedOf(tool, server);
    const entry = (name: string) => `${label}/${name}`;
    if (server.id !== undefined && allowed.length > 0) attached.mcp_server_ids.push(server.id);
    attached.mcp_tools.push(...allowed.map(entry));
    attached.ask_tools.push(...askedOf(tool, allowed).map(entry));
  }
  if (attached.mcp_tools.length > MOST_NAMES)
    throw invalidField(
      'tools',
      `have ${attached.mcp_tools.length} tools of MCP servers: name at most ${MOST_NAMES} in allowed_tools`,
    );
  return attached;
}
