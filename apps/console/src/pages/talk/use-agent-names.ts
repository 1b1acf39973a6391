import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { Agent } from '../../api/platform-records.js';
import type { List } from '../../api/admin-records.js';

/** An agent's name and description; its id if it has a record. */
export type AgentName = Pick<Agent, 'name' | 'description'> & { id?: string };

/** Built into the runtime: the platform API has no record of it. */
const CONCIERGE = 'concierge';
const BUILT_IN: AgentName = {
  name: 'Concierge',
  description: 'Built in: answers until you create an agent of your own.',
};

/** The API's largest page. */
const MOST = 100;

/** Agents' names by slug: the runtime's registry has slugs only. Falls back to slugs when the platform API fails. */
export function useAgentNames(): (slug: string) => AgentName {
  const agents = useQuery(
    areaResource<List<Agent>>('platform', '/api/v1/agents', { sort: 'name', order: 'asc', per_page: MOST }),
  );
  const bySlug = new Map<string, AgentName>(agents.data?.items.map((agent) => [agent.slug, agent]));
  return (slug) => (slug === CONCIERGE ? BUILT_IN : (bySlug.get(slug) ?? { name: slug, description: '' }));
}
