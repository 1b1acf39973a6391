/** What area B answers (`/api/v1/openapi.json`), as far as pages show it. */

export type Status = 'active' | 'inactive';

interface Kept {
  id: string;
  created_at: string;
  updated_at: string;
}

export type ParameterType = 'string' | 'integer' | 'number' | 'boolean';
export type ParameterValue = string | number | boolean;

export interface SkillParameter {
  type: ParameterType;
  enum?: ParameterValue[];
  default?: ParameterValue;
}

export interface SkillFields {
  name: string;
  description: string;
  instructions: string;
  parameters: Record<string, SkillParameter>;
  status: Status;
}
export type Skill = Kept & SkillFields;

export interface AgentFields {
  name: string;
  description: string;
  instructions: string;
  /** Null: the installation's. */
  model: string | null;
  skill_ids: string[];
  plugin_ids: string[];
  mcp_server_ids: string[];
  /** Which of their tools: `*`, `server/*`, `server/tool`. */
  mcp_tools: string[];
  content_tags: string[];
  status: Status;
  published: boolean;
}
export type Agent = Kept & AgentFields & { slug: string; is_default: boolean };

export interface Version<State> {
  version: number;
  at: string;
  by: { user_id: string; actor_kind: 'user' | 'job' | 'mcp'; actor_id: string };
  changed: (keyof State & string)[];
  state: State;
}

/** How an MCP server is proved to who asks, besides its headers. Secrets read "********". */
export type McpAuth =
  | { type: 'none' }
  | {
      type: 'client_credentials';
      token_url: string;
      client_id: string;
      client_secret: string;
      client_auth: string;
      scope?: string;
    }
  | {
      type: 'user';
      issuer?: string;
      client_id?: string;
      client_secret?: string;
      client_auth?: string;
      scope?: string;
    };

export interface McpServer extends Kept {
  name: string;
  slug: string;
  url: string;
  description: string;
  /** Values are never told: "********". */
  headers: Record<string, string>;
  auth: McpAuth;
  status: Status | 'unreachable';
  pin_tools: boolean;
  tools_count: number;
  last_seen_at: string | null;
}

export interface McpTool {
  name: string;
  description: string;
  input_schema: Record<string, unknown>;
}

/** All that a server says of a tool. */
export interface ToolDefinition extends Omit<McpTool, 'name'> {
  title?: string;
  /** By these clients ask their user first, or do not. */
  annotations?: Record<string, unknown>;
  output_schema?: Record<string, unknown>;
  other_members?: Record<string, unknown>;
}

export interface QuarantinedTool {
  name: string;
  reason: 'new' | 'changed' | 'removed';
  /** What is approved by approving; null for a tool that is gone. */
  hash: string | null;
  approved: ToolDefinition | null;
  current: ToolDefinition | null;
  difference: { path: string; approved?: unknown; current?: unknown }[];
}

export type PluginType = 'tool' | 'data_source' | 'integration';

export interface Plugin extends Kept {
  name: string;
  description: string;
  version: number;
  type: PluginType;
  /** Secrets read "********". */
  config: Record<string, unknown>;
  config_schema: Record<string, unknown>;
  status: Status;
  reachable: boolean | null;
  last_checked_at: string | null;
  last_error: string | null;
}

export interface ContentItem extends Kept {
  title: string;
  body: string;
  tags: string[];
  status: Status;
}

/** What a secret is read as; sent back, it keeps the value. */
export const KEPT = '********';
