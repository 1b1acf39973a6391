import { useQuery } from '@tanstack/react-query';
import type { PlatformAnswers } from '../../api/answers/platform.js';
import { resource } from '../../api/api.js';
import { areaResource } from '../../api/areas.js';
import type { Agent, McpServer, Model, Skill } from '../../api/platform-records.js';
import type { Items, Key, List, Passkey } from '../../api/admin-records.js';
import type { Conversations } from '../../api/runtime-records.js';

const FIRST = { sort: 'created_at', order: 'asc', per_page: 1 };

/**
 * Progress of the setup, derived from existing records. `passkey` and `key` are booleans; the other values are the first record of their kind,
 * or null if there is none. A value is undefined while it is loading.
 */
export function useProgress(isAdmin: boolean) {
  const passkeys = useQuery(resource<Items<Passkey>>('/passkeys'));
  const keys = useQuery(resource<Items<Key>>('/keys'));
  const skills = useQuery({ ...areaResource<List<Skill>>('platform', '/api/v1/skills', FIRST), enabled: isAdmin });
  const agents = useQuery({ ...areaResource<List<Agent>>('platform', '/api/v1/agents', FIRST), enabled: isAdmin });
  const servers = useQuery({
    ...areaResource<List<McpServer>>('platform', '/api/v1/mcp/servers', FIRST),
    enabled: isAdmin,
  });
  const models = useQuery({
    ...areaResource<PlatformAnswers['listModels']>('platform', '/api/v1/models'),
    enabled: isAdmin,
  });
  const agent = firstOf(agents.data);
  const contexts = useQuery({
    ...areaResource<Conversations>('runtime', '/api/v1/contexts', { agent: agent?.slug ?? '', limit: 1 }),
    enabled: isAdmin && Boolean(agent),
  });
  return {
    passkey: passkeys.data && passkeys.data.items.length > 0,
    skill: firstOf(skills.data),
    agent,
    server: firstOf(servers.data),
    model: models.data && (models.data.items.find(isProvided) ?? null),
    conversation: agent === null ? null : firstOf(contexts.data),
    key: keys.data && keys.data.items.some(isLive),
    errors: {
      passkey: passkeys.error,
      skill: skills.error,
      agent: agents.error,
      server: servers.error,
      model: models.error,
      conversation: contexts.error,
      key: keys.error,
    },
  };
}
/** Whether the model is active and calls a provider. Only the built-in offline model belongs to no project and has no address. */
const isProvided = ({ source, base_url, status }: Model) =>
  status === 'active' && (source === 'project' || base_url !== null);
export type Progress = ReturnType<typeof useProgress>;

function firstOf<Item>(list: Items<Item> | undefined): Item | null | undefined {
  return list && (list.items[0] ?? null);
}

const isLive = ({ kind, revoked_at, expires_at }: Key) =>
  kind === 'api_key' && revoked_at === null && (expires_at === null || new Date(expires_at) > new Date());

const STEPS = ['skill', 'agent', 'conversation', 'key'] as const;
export type StepName = (typeof STEPS)[number];

/** A user's steps in order, without the optional steps. Users who are not admins only create a key. */
export const stepsOf = (isAdmin: boolean): readonly StepName[] => (isAdmin ? STEPS : ['key']);
