import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { Agent } from '../../api/platform-records.js';
import type { List } from '../../api/admin-records.js';

/** Name and description of an agent, and its id if it is a stored record. */
export type AgentName = Pick<Agent, 'name' | 'description'> & { id?: string };

/** Built into the runtime: the platform API has no record of it. */
const CONCIERGE = 'concierge';
const BUILT_IN: AgentName = {
  name: 'Concierge',
  description: 'Built in: answers until you create an agent of your own.',
};

/** Maximum page size of the API. */
const MOST = 100;

/** Returns agents' names by slug, because the runtime's registry has only slugs. Falls back to slugs when the platform API fails. */
export function useAgentNames(): (slug: string) => AgentName {
  const agents = useQuery(
    areaResource<List<Agent>>('platform', '/api/v1/agents', { sort: 'name', order: 'asc', per_page: MOST }),
  );
  const bySlug = new Map<string, AgentName>(agents.data?.items.map((agent) => [agent.slug, agent]));
  return (slug) => (slug === CONCIERGE ? BUILT_IN : (bySlug.get(slug) ?? { name: slug, description: '' }));
}
