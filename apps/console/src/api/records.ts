/** What the console's API answers (`/admin/openapi.json`). Times are ISO 8601. */

export interface Me {
  user_id: string;
  username: string;
  email: string;
  roles: string[];
  project: string;
  is_admin: boolean;
  /** Until when what is sensitive needs no further proof. */
  fresh_until?: string | null;
}

export interface Items<Item> {
  items: Item[];
}

export interface List<Item> extends Items<Item> {
  total: number;
  page: number;
  per_page: number;
}

export interface Addresses {
  base_url: string;
  runtime_url: string;
  prompt_api_url: string;
}

export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
  device_type: string;
  backed_up: boolean;
}

export interface Session {
  id: string;
  method: string;
  ip: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

export interface Device {
  id: string;
  device_name: string;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export interface Consent {
  id: string;
  client_name: string;
  client_id: string;
  client_host: string | null;
  scopes: string[];
  granted_at: string;
}

export interface Key {
  id: string;
  kind: 'api_key' | 'pat';
  name: string;
  prefix: string;
  scopes: string[];
  plan: string;
  project: string;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  successor_id: string | null;
}

export interface Client {
  client_id: string;
  name: string;
  redirect_uris: string[];
  scopes: string[];
  mcp_tools: string[];
  project: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
}

export interface Scope {
  scope: string;
  description: string;
}

export interface User {
  id: string;
  name: string;
  email: string;
  role: 'user' | 'admin';
  platform_admin: boolean;
  project: string;
  status: 'active' | 'inactive';
  deleted_at: string | null;
  self_registered: boolean;
  passkeys: number;
  created_at: string;
  updated_at: string;
  last_seen_at: string | null;
}

export interface UserDetail extends User {
  sessions: Session[];
  keys: Key[];
  clients: Client[];
  devices: Device[];
  consents: Consent[];
}

export interface Decision {
  id: string;
  at: string;
  user: { id: string; name: string; email: string };
  actor_kind: 'user' | 'job' | 'mcp';
  actor_id: string;
  action: string;
  resource: string;
  project: string | null;
  decision: 'allow' | 'deny';
  reason: string | null;
  request_id: string | null;
  ip: string | null;
  detail: unknown;
}

export interface Chain {
  sealed_through: string | null;
  batches: number;
  unsealed: number;
  last_sealed_at: string | null;
  verified: 'ok' | 'broken' | 'unchecked';
  verified_at: string | null;
  faults: { kind: string; row: string | null; seal: number | null; reason: string }[];
}

export interface JobRun {
  started_at: string | null;
  finished_at: string | null;
  /** Null while it runs or waits. */
  outcome: 'succeeded' | 'failed' | 'refused' | null;
  detail: Record<string, unknown>;
  tick: string;
  origin: 'schedule' | 'manual';
}

export interface Job {
  name: string;
  extension: string;
  owner: string;
  schedule: string;
  enabled: boolean;
  next_run_at: string | null;
  last_run: JobRun | null;
  runs: JobRun[];
}

export interface SigningKey {
  kid: string;
  issuer: string;
  created_at: string;
  active_at: string | null;
  retired_at: string | null;
  current: boolean;
}

export interface Enterprise {
  project: string;
  members: number;
  admins: number;
  agents: number;
  skills: number;
  keys: number;
  clients: number;
  usage_30d: { requests: number; agent_messages: number; model_tokens: number; model_cost_usd: number | null };
}

export interface ReportRow {
  project: string;
  user: { id: string; name: string; email: string };
  model: string;
  requests: number;
  tokens_in: number;
  tokens_out: number;
  cost_usd: number | null;
}

export interface Report {
  month: string;
  rows: ReportRow[];
  totals: { requests: number; tokens_in: number; tokens_out: number; cost_usd: number | null };
}

export interface EnterpriseDetail extends Enterprise {
  member_list: { id: string; name: string; email: string; role: string; platform_admin: boolean; status: string }[];
}
