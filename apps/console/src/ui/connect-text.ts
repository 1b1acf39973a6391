/** Instructions for connecting a client to an MCP endpoint. */
export interface ClientGuide {
  id: string;
  name: string;
  /** Instructions that explain how to use the code. */
  text: string;
  code?: string;
}

/** Makes a name that every MCP client accepts. */
const nameOf = (slug: string): string => slug.replaceAll(/[^\w-]/g, '-').slice(0, 60);

/** Steps of common MCP clients; each signs in by OAuth when it first connects. */
export function clientGuides(slug: string, url: string): ClientGuide[] {
  const name = nameOf(slug);
  const json = (value: object) => JSON.stringify(value, null, 2);
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      text: 'Run this in a terminal, then /mcp in Claude Code to sign in.',
      code: `claude mcp add --transport http ${name} ${url}`,
    },
    {
      id: 'claude',
      name: 'Claude',
      text: 'Settings, Connectors, Add custom connector: enter the address, then Connect. Claude must reach it from the internet.',
      code: url,
    },
    {
      id: 'cursor',
      name: 'Cursor',
      text: 'Add this to ~/.cursor/mcp.json, then sign in under Settings, MCP.',
      code: json({ mcpServers: { [name]: { url } } }),
    },
    {
      id: 'vscode',
      name: 'VS Code',
      text: 'Add this to .vscode/mcp.json, then start the server there; VS Code asks you to sign in.',
      code: json({ servers: { [name]: { type: 'http', url } } }),
    },
    {
      id: 'chatgpt',
      name: 'ChatGPT',
      text: 'Settings, Apps and Connectors, Create (in developer mode): enter the address and choose OAuth. ChatGPT must reach it from the internet.',
      code: url,
    },
    {
      id: 'other',
      name: 'Other',
      text: 'Any client of streamable HTTP connects to this address: by OAuth, or with an API key with mcp:read and mcp:call.',
      code: json({ url, headers: { Authorization: 'Bearer $KEY' } }),
    },
  ];
}
