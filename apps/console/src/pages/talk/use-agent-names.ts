import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { Agent } from '../../api/platform-records.js';
import type { List } from '../../api/records.js';

/** What is called how: of an agent of one's own, its id too. */
export type AgentName = Pick<Agent, 'name' | 'description'> & { id?: string };

/** It is built into the runtime, and area B has no record of it. */
const CONCIERGE = 'concierge';
const BUILT_IN: AgentName = {
  name: 'Concierge',
  description: 'Built in: answers until you create an agent of your own.',
};

/** As many as one page has. */
const MOST = 100;

/** Names of agents by their slugs, which are all that the registry of those that answer has. Without area B, slugs do. */
export function useAgentNames(): (slug: string) => AgentName {
  const agents = useQuery(
    areaResource<List<Agent>>('platform', '/api/v1/agents', { sort: 'name', order: 'asc', per_page: MOST }),
  );
  const bySlug = new Map<string, AgentName>(agents.data?.items.map((agent) => [agent.slug, agent]));
  return (slug) => (slug === CONCIERGE ? BUILT_IN : (bySlug.get(slug) ?? { name: slug, description: '' }));
}
