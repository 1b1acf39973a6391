/** What a tool's call came to. A failure is content too: the model reads it and goes on. */
export interface ToolResult {
  ok: boolean;
  content: string;
}

/** Something an agent's model may call. */
export interface AgentTool {
  /** What it would like to be called; `offerTools` makes it a name the model API takes. */
  name: string;
  description: string;
  /** A JSON Schema of an object. */
  parameters: object;
  /** Whose it is, for the audit: the plugin's or MCP server's name, and its id. */
  owner: { name: string; id: string };
  /** Its `call` writes the audit row. */
  recordsItself: boolean;
  /** Why these arguments may not be sent, or undefined when they may. */
  check: (args: Readonly<Record<string, unknown>>) => Promise<ToolResult | undefined>;
  /** Never throws for what the upstream does. */
  call: (args: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
}

export const failed = (error: string, more: object = {}): ToolResult => ({
  ok: false,
  content: JSON.stringify({ error, ...more }),
});
