export interface ScopePreset {
  value: string;
  label: string;
  text: string;
  /** Returns the scopes of the preset, limited to the scopes that a credential may have. */
  scopesOf: (all: readonly string[]) => string[];
}

const among = (wanted: readonly string[]) => (all: readonly string[]) => all.filter((scope) => wanted.includes(scope));

/** Choices of scopes for common programs, narrowest first. */
export const PRESETS: readonly ScopePreset[] = [
  {
    value: 'agents',
    label: 'Run agents',
    text: 'Sends messages to agents and reads the runs.',
    scopesOf: among(['agents:read', 'agents:message', 'files:read', 'files:write', 'runs:read']),
  },
  {
    value: 'prompts',
    label: 'Run prompts',
    text: 'Runs prompts and reads the runs.',
    scopesOf: among(['prompts:read', 'prompts:run', 'conversations:read', 'runs:read']),
  },
  {
    value: 'tools',
    label: 'Call tools',
    text: 'Calls tools of MCP servers.',
    scopesOf: among(['mcp:read', 'mcp:call']),
  },
  {
    value: 'ci',
    label: 'CI',
    text: 'Applies agents, prompts and what they work with from files.',
    scopesOf: among([
      ...['skills', 'agents', 'content', 'mcp', 'prompts', 'blocks'].flatMap((name) => [
        `${name}:read`,
        `${name}:write`,
      ]),
      ...['plugins:read', 'mcp:call'],
    ]),
  },
  {
    value: 'read',
    label: 'Read only',
    text: 'Reads all records; changes and runs nothing.',
    scopesOf: (all) => all.filter((scope) => scope.endsWith(':read') && scope !== 'users:read'),
  },
];

/** Scope for everything that the owner may do. */
export const FULL_ACCESS = '*';

/** Returns the choice that matches the scopes: a preset, `all`, or `some`. */
export function presetOf(scopes: readonly string[], all: readonly string[]): string {
  if (scopes.includes(FULL_ACCESS)) return 'all';
  const isSame = (other: readonly string[]) =>
    other.length > 0 && other.length === scopes.length && other.every((scope) => scopes.includes(scope));
  return PRESETS.find(({ scopesOf }) => isSame(scopesOf(all)))?.value ?? 'some';
}
