import { homedir } from 'node:os';
import { join } from 'node:path';

/** Folders from which paths of a client's files are made. */
export interface Place {
  platform: NodeJS.Platform;
  home: string;
  /** Folder in which applications on Windows store their data. */
  appData: string;
  /** The folder that the command runs in. */
  folder: string;
}

export interface McpClient {
  title: string;
  /** Name of the configuration's member that contains the servers. */
  member: 'mcpServers' | 'servers';
  /** Returns the path of the configuration file that applies to the whole account. */
  accountFile: (place: Place) => string;
  /** Returns the path of the configuration file of a project. Undefined for clients that have no such file. */
  projectFile?: (folder: string) => string;
  /** Returns the configuration of a server to which the user signs in by OAuth. */
  serverOf: (url: string) => object;
  next: string;
}

/** Returns the folder in which applications store their settings. */
function settingsFolder({ platform, home, appData }: Place): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  return platform === 'win32' ? appData : join(home, '.config');
}

/** Clients and the formats of their files, as described in the documentation of each client. */
export const CLIENTS: Readonly<Record<string, McpClient>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    member: 'mcpServers',
    accountFile: (place) => join(settingsFolder(place), 'Claude', 'claude_desktop_config.json'),
    // Claude Desktop's file accepts only local servers, so the local program `mcp-remote` connects to the server's address.
    serverOf: (url) => ({ command: 'npx', args: ['-y', 'mcp-remote', url] }),
    next: 'Restart Claude Desktop.',
  },
  'claude-code': {
    title: 'Claude Code',
    member: 'mcpServers',
    accountFile: ({ home }) => join(home, '.claude.json'),
    projectFile: (folder) => join(folder, '.mcp.json'),
    serverOf: (url) => ({ type: 'http', url }),
    next: 'In Claude Code, run /mcp and authenticate.',
  },
  cursor: {
    title: 'Cursor',
    member: 'mcpServers',
    accountFile: ({ home }) => join(home, '.cursor', 'mcp.json'),
    projectFile: (folder) => join(folder, '.cursor', 'mcp.json'),
    serverOf: (url) => ({ url }),
    next: 'In Cursor, open Settings, MCP, and sign in to the server.',
  },
  vscode: {
    title: 'VS Code',
    member: 'servers',
    accountFile: (place) => join(settingsFolder(place), 'Code', 'User', 'mcp.json'),
    projectFile: (folder) => join(folder, '.vscode', 'mcp.json'),
    serverOf: (url) => ({ type: 'http', url }),
    next: 'In VS Code, run "MCP: List Servers" and start the server.',
  },
};

export const CLIENT_NAMES = Object.keys(CLIENTS);

export function placeOf(env: NodeJS.ProcessEnv, folder: string): Place {
  const home = env['HOME'] ?? env['USERPROFILE'] ?? homedir();
  return {
    platform: process.platform,
    home,
    appData: env['APPDATA'] ?? join(home, 'AppData', 'Roaming'),
    folder,
  };
}
