import { SCOPES, type Scope } from './scopes.js';

/** Scopes of keys for common programs, by the name of the preset. No preset has scopes of admins. */
export const SCOPE_PRESETS = {
  'read-only': SCOPES.filter((scope) => scope.endsWith(':read') && scope !== 'users:read'),
  'run-agents': ['agents:read', 'agents:message', 'files:read', 'files:write', 'runs:read'],
  'run-prompts': ['prompts:read', 'prompts:run', 'conversations:read', 'runs:read'],
  'call-tools': ['mcp:read', 'mcp:call'],
  // The scopes that `export`, `plan` and `apply` of the command line need.
  ci: [
    ...['skills', 'agents', 'content', 'mcp', 'prompts', 'blocks'].flatMap((resource) => [
      `${resource}:read` as Scope,
      `${resource}:write` as Scope,
    ]),
    'plugins:read',
    'mcp:call',
  ],
} as const satisfies Record<string, readonly Scope[]>;

export type ScopePreset = keyof typeof SCOPE_PRESETS;

export const PRESET_NAMES = Object.keys(SCOPE_PRESETS) as ScopePreset[];
