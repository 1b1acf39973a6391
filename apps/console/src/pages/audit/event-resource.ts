import type { Decision } from '../../api/records.js';

interface Kind {
  kind: string;
  /** Its page, where it has one. */
  to?: (id: string) => string;
}

const at = (path: string) => (id: string) => `${path}/${encodeURIComponent(id)}`;

/** What a record is, by the prefix of its id. */
const BY_PREFIX: Readonly<Record<string, Kind>> = {
  usr: { kind: 'User', to: at('/access/users') },
  ag: { kind: 'Agent', to: at('/build/agents') },
  sk: { kind: 'Skill', to: at('/build/skills') },
  ms: { kind: 'MCP server', to: at('/build/mcp') },
  ct: { kind: 'Content', to: at('/build/content') },
  pl: { kind: 'Plugin', to: at('/build/plugins') },
  fl: { kind: 'File', to: () => '/build/files' },
  ctx: { kind: 'Conversation' },
  task: { kind: 'Task' },
  resp: { kind: 'Response' },
  key: { kind: 'Key' },
  cli: { kind: 'OAuth client' },
  con: { kind: 'Consent' },
  ses: { kind: 'Session' },
  dev: { kind: 'Device' },
  pk: { kind: 'Passkey' },
};

/** Where ids have none: by what was done. */
const BY_ACTION: Readonly<Record<string, Kind>> = {
  prompt: { kind: 'Prompt', to: at('/prompts') },
  block: { kind: 'Block', to: at('/blocks') },
  job: { kind: 'Job', to: (name) => `/jobs?job=${encodeURIComponent(name)}` },
  signing_key: { kind: 'Signing key', to: () => '/jobs' },
};

export interface EventResource {
  /** Undefined for a path. */
  kind: string | undefined;
  /** As the event tells it. */
  name: string | undefined;
  to: string | undefined;
}

/** What an event is about. What was deleted has no page any more. */
export function resourceOf({
  action,
  resource,
  detail,
}: Pick<Decision, 'action' | 'resource' | 'detail'>): EventResource {
  const known = kindOf(action, resource);
  const isGone = action.endsWith('.delete');
  return { kind: known?.kind, name: nameIn(detail), to: isGone ? undefined : known?.to?.(resource) };
}

function kindOf(action: string, resource: string): Kind | undefined {
  const prefix = /^([a-z]+)_\w{22}$/.exec(resource)?.[1];
  if (prefix !== undefined) return BY_PREFIX[prefix];
  return resource.includes('/') ? undefined : BY_ACTION[action.split('.')[0] ?? ''];
}

function nameIn(detail: unknown): string | undefined {
  if (typeof detail !== 'object' || detail === null) return undefined;
  const { name, title, email } = detail as Record<string, unknown>;
  return [name, title, email].find((text): text is string => typeof text === 'string' && text !== '');
}
