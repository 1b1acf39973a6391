/** What area C answers (`/openapi.json` of the runtime), as far as pages show it. */

export interface Slice<Item> {
  items: Item[];
  total: number;
  limit: number;
  offset: number;
}

export interface RegisteredAgent {
  /** Its slug. */
  name: string;
  status: 'running' | 'stopped' | 'degraded';
  capabilities: string[];
}

export interface FoundContent {
  id: string;
  title: string;
  /** All of it; `snippet` is where the words are. */
  content: string;
  source: string;
  kind: string;
  tags: string[];
  snippet: string;
  updated_at: string;
}

export interface StoredFile {
  id: string;
  path: string;
  size: number;
  content_type: string;
  sha256: string;
  created_at: string;
}

/** A conversation of the caller with one agent. */
export interface Context {
  id: string;
  /** How it begins. */
  title: string;
  created_at: string;
  updated_at: string;
}

export interface ContextMessage {
  id: string;
  role: 'user' | 'assistant';
  content: string;
  timestamp: string;
  /** What was called before it went on; `answer` is how each answer begins. */
  tools: { id: string; tool: string; arguments: string; answer: string | null }[];
}

export interface ContextDetail extends Context {
  agent: string;
  /** The last 500, oldest first. */
  messages: ContextMessage[];
}

/** An MCP server that asks for an account of one's own. */
export interface McpConnection {
  server_id: string;
  name: string;
  slug: string;
  connected: boolean;
  connected_at: string | null;
  scope: string | null;
  /** Where an account is connected, in a browser. */
  connect_url: string;
}
