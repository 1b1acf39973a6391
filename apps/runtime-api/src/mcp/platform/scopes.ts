import type { Scope } from '@millwright/auth';
import type { McpMessage } from '../json-rpc.js';

/** The name of the built-in server, which no other can have. */
export const PLATFORM = 'platform';

/** What its features need besides what every MCP server needs. */
export const PLATFORM_SCOPES: readonly Scope[] = ['skills:read', 'content:read', 'agents:message'];

/** What changes the platform's records, or names all of them. */
const ADMIN_TOOL = /^(list_records|(create|update)_(skill|agent|content))$/;

/** Lists need nothing more: they show what the caller may use. */
const BY_METHOD: Readonly<Record<string, readonly Scope[]>> = {
  'prompts/get': ['skills:read'],
  'resources/read': ['content:read'],
};

export function platformScopesOf(message: Exclude<McpMessage, { kind: 'response' }>): readonly Scope[] {
  if (message.method !== 'tools/call') return BY_METHOD[message.method] ?? [];
  const { name } = message.params;
  if (typeof name === 'string' && ADMIN_TOOL.test(name)) return ['admin'];
  if (name === 'search_content') return ['content:read'];
  return typeof name === 'string' && name.startsWith('ask_') ? ['agents:message'] : [];
}
