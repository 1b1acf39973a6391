import { useQuery } from '@tanstack/react-query';
import { withQuery } from '../../api/api.js';
import { askArea } from '../../api/areas.js';
import type { Agent } from '../../api/platform-records.js';
import type { List } from '../../api/admin-records.js';
import { currentProject } from '../../api/project.js';
import { QUERY_KEYS } from '../../api/query-keys.js';

/** Name and description of an agent, and its id if it is a stored record. */
export type AgentName = Pick<Agent, 'name' | 'description'> & { id?: string };

/** Slug of the agent that is built into the runtime; the platform API has no record of this agent. */
const CONCIERGE = 'concierge';
const BUILT_IN: AgentName = {
  name: 'Concierge',
  description: 'Built in: answers until you create an agent of your own.',
};

/** Maximum page size of the API, and maximum number of pages that are read. */
const PER_PAGE = 100;
const MOST_PAGES = 10;

async function readNames(signal: AbortSignal): Promise<Map<string, AgentName>> {
  const names = new Map<string, AgentName>();
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const path = withQuery('/api/v1/agents', { sort: 'name', order: 'asc', per_page: PER_PAGE, page });
    const { items, total } = await askArea<List<Agent>>('platform', 'GET', path, undefined, { signal });
    for (const { id, slug, name, description } of items) names.set(slug, { id, name, description });
    if (page * PER_PAGE >= total) break;
  }
  return names;
}

/** Returns agents' names by slug, because the runtime's registry has only slugs. Falls back to slugs when the platform API fails. */
export function useAgentNames(): (slug: string) => AgentName {
  const names = useQuery({
    queryKey: [...QUERY_KEYS.agents[0], 'names', currentProject()],
    queryFn: ({ signal }) => readNames(signal),
  });
  return (slug) => (slug === CONCIERGE ? BUILT_IN : (names.data?.get(slug) ?? { name: slug, description: '' }));
}
