/** Instructions for connecting a client to an MCP endpoint. */
export interface ClientGuide {
  id: string;
  name: string;
  /** Instructions that explain how to use the code. */
  text: string;
  /** Address that opens the client and adds the server; only for clients that support such an address. */
  link?: string;
  code?: string;
}

/** Makes a name that every MCP client accepts. */
const nameOf = (slug: string): string => slug.replaceAll(/[^\w-]/g, '-').slice(0, 60);

/** Cursor reads the server's configuration as base64 of JSON. */
function cursorLink(name: string, url: string): string {
  const query = new URLSearchParams({ name, config: btoa(JSON.stringify({ url })) });
  return `cursor://anysphere.cursor-deeplink/mcp/install?${query}`;
}

/** Returns instructions for common MCP clients. Each client signs in by OAuth when it connects for the first time. */
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
      text: 'Open Cursor, or add this to ~/.cursor/mcp.json; then sign in under Settings, MCP.',
      link: cursorLink(name, url),
      code: json({ mcpServers: { [name]: { url } } }),
    },
    {
      id: 'vscode',
      name: 'VS Code',
      text: 'Open VS Code, or add this to .vscode/mcp.json; then start the server. VS Code asks you to sign in.',
      link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', url }))}`,
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
