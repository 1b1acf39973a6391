import { isJsonObject } from '@millwright/json';
import type { Decision } from '../api/admin-records.js';

interface Kind {
  kind: string;
  /** Matches the actions whose detail `name` is the name of this record. In other actions, the detail names another record. */
  named?: RegExp;
  /** Address of the record's page, if it has one. */
  to?: (id: string) => string;
}

const at = (path: string) => (id: string) => `${path}/${encodeURIComponent(id)}`;

/** Kinds of records by the prefix of their ids. */
const BY_PREFIX: Readonly<Record<string, Kind>> = {
  usr: { kind: 'User', named: /^user\./, to: at('/access/users') },
  ag: { kind: 'Agent', named: /^agent\./, to: at('/build/agents') },
  mdl: { kind: 'Model', named: /^model\./, to: at('/build/models') },
  sk: { kind: 'Skill', named: /^skill\./, to: at('/build/skills') },
  ms: { kind: 'MCP server', named: /^mcp_server\./, to: at('/build/mcp') },
  ct: { kind: 'Content', named: /^content\./, to: at('/build/content') },
  pl: { kind: 'Plugin', named: /^plugin\./, to: at('/build/plugins') },
  fl: { kind: 'File', named: /^file\./, to: () => '/build/files' },
  ctx: { kind: 'Conversation' },
  run: { kind: 'Run', to: at('/runs') },
  apr: { kind: 'Approval' },
  trg: { kind: 'Trigger', named: /^trigger\./, to: at('/triggers') },
  wh: { kind: 'Webhook', named: /^webhook\./, to: at('/webhooks') },
  bud: { kind: 'Budget', named: /^budget\./, to: at('/budgets') },
  task: { kind: 'Task' },
  resp: { kind: 'Response' },
  key: { kind: 'Key', named: /^(api_key|pat)\./ },
  cli: { kind: 'OAuth client', named: /^oauth_client\./ },
  con: { kind: 'Consent' },
  ses: { kind: 'Session' },
  dev: { kind: 'Device', named: /^device\./ },
  pk: { kind: 'Passkey' },
};

/** Kinds of records whose ids have no prefix, by the first part of the action. */
const BY_ACTION: Readonly<Record<string, Kind>> = {
  prompt: { kind: 'Prompt', named: /^prompt\./, to: at('/prompts') },
  block: { kind: 'Block', to: at('/blocks') },
  project: { kind: 'Project', named: /^project\.(create|delete)$/ },
  job: { kind: 'Job', to: (name) => `/jobs?job=${encodeURIComponent(name)}` },
  tool_policy: { kind: 'Tool policy', to: () => '/build/tool-policy' },
  knowledge_search: { kind: 'Knowledge search', to: () => '/build/files' },
  guards: { kind: 'Guards', to: () => '/build/guards' },
  signing_key: { kind: 'Signing key', to: () => '/settings?tab=signing-keys' },
};

export interface EventResource {
  /** Kind of the record; undefined for a request path. */
  kind: string | undefined;
  /** Name of the record; undefined if the event does not contain the name. */
  name: string | undefined;
  to: string | undefined;
}

/** Returns the record of an event. A deleted record has no page. */
export function resourceOf({
  action,
  resource,
  resource_name,
  detail,
}: Pick<Decision, 'action' | 'resource' | 'resource_name' | 'detail'>): EventResource {
  const known = kindOf(action, resource);
  const isGone = action.endsWith('.delete');
  return {
    kind: known?.kind,
    name: resource_name ?? (known?.named?.test(action) ? nameIn(detail) : undefined),
    to: isGone ? undefined : known?.to?.(resource),
  };
}

/** Returns the kind of a record and the address of its page, by the record's id; undefined for an id without a page. */
export function pageOfId(id: string): { kind: string; to: string } | undefined {
  const known = byPrefix(id);
  return known?.to && { kind: known.kind, to: known.to(id) };
}

const byPrefix = (id: string): Kind | undefined => BY_PREFIX[/^([a-z]+)_\w{22}$/.exec(id)?.[1] ?? ''];

function kindOf(action: string, resource: string): Kind | undefined {
  if (/^[a-z]+_\w{22}$/.test(resource)) return byPrefix(resource);
  return resource.includes('/') ? undefined : BY_ACTION[action.split('.')[0] ?? ''];
}

function nameIn(detail: unknown): string | undefined {
  if (!isJsonObject(detail)) return undefined;
  const { name, title, email } = detail;
  return [name, title, email].find((text): text is string => typeof text === 'string' && text !== '');
}

/** Returns the id of the run in which the event happened, or which is its subject. */
export function runOf({ resource, detail }: Pick<Decision, 'resource' | 'detail'>): string | undefined {
  const named = isJsonObject(detail) ? detail['run'] : undefined;
  return [named, resource].find((id): id is string => typeof id === 'string' && /^run_\w{22}$/.test(id));
}
