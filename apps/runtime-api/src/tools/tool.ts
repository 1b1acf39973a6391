/** The result of a tool's call. A failure is content too: the model reads it and goes on. */
export interface ToolResult {
  ok: boolean;
  content: string;
}

/** A tool that an agent's model may call. */
export interface AgentTool {
  /** The wanted name; `toModelTools` makes it one that the model API accepts. */
  name: string;
  description: string;
  /** A JSON Schema of an object. */
  parameters: object;
  /** The owner in the audit log: the plugin's or MCP server's name, and its id. */
  owner: { name: string; id: string };
  /** Whether its `call` writes the audit entry. */
  recordsItself: boolean;
  /** The failure of arguments that may not be sent; undefined for valid ones. */
  check: (args: Readonly<Record<string, unknown>>) => Promise<ToolResult | undefined>;
  /** Does not throw for failures of the upstream. */
  call: (args: Readonly<Record<string, unknown>>) => Promise<ToolResult>;
}

export const failed = (error: string, more: object = {}): ToolResult => ({
  ok: false,
  content: JSON.stringify({ error, ...more }),
});
