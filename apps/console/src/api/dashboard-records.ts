/** What the dashboard's endpoints answer (`/admin/openapi.json`). Times are ISO 8601. */

export interface Dashboard {
  /** Null: all of them. */
  project: string | null;
  records: { users: number; skills: number; agents: number; prompts: number };
  registration_open: boolean;
  quarantined: { server_id: string; name: string; project: string; tools: number }[];
  expiring_keys: {
    id: string;
    name: string;
    project: string;
    expires_at: string;
    owner: { id: string; name: string };
  }[];
}

export type Period = '24h' | '7d' | '30d' | '90d';

export interface Figure {
  /** Null: not known. */
  value: number | null;
  before: number | null;
  points: (number | null)[];
}

export type FigureName =
  'requests' | 'errors' | 'latency_p95_ms' | 'agent_messages' | 'tokens' | 'cost_usd' | 'active_users';

export interface Busy {
  id: string;
  /** Null for one that was deleted. */
  name: string | null;
  project: string;
  uses: number;
  tokens: number;
  cost_usd: number | null;
}

export interface Usage {
  period: Period;
  interval: 'hour' | 'day';
  times: string[];
  figures: Record<FigureName, Figure>;
  unpriced_tokens: number;
  busiest: { agents: Busy[]; skills: Busy[]; prompts: Busy[] };
}

export interface AreaHealth {
  area: 'platform' | 'runtime' | 'prompt';
  /** `off`: not deployed. */
  state: 'answers' | 'silent' | 'off';
  ms: number | null;
}
