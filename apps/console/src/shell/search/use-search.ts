import { useDebouncedValue } from '@mantine/hooks';
import { useQueries } from '@tanstack/react-query';
import { call } from '../../api/api.js';
import { projectHeader } from '../../api/areas.js';
import { answerOf } from '../../api/client.js';
import { useProject } from '../../api/project.js';
import { hasRole, PROJECT_ROLES } from '../../api/roles.js';
import { navigationFor } from '../navigation.js';
import { actionsLike, recordsWithId, settingsLike } from './commands.js';
import { SOURCES, type Found } from './sources.js';

const TYPING_PAUSE_MS = 200;
/** Minimum length of a text to search for; shorter texts match too many records. */
const LEAST_LETTERS = 2;

export interface SearchGroup {
  name: string;
  found: Found[];
}

/**
 * Finds pages, actions and settings at once, and records when typing pauses. A failing service does not hide the results of the other
 * services.
 */
export function useSearch(text: string, roles: readonly string[]) {
  const project = useProject();
  const typed = text.trim();
  const [search] = useDebouncedValue(typed, TYPING_PAUSE_MS);
  const isAdmin = hasRole(roles, PROJECT_ROLES);
  const isWorthIt = isAdmin && search.length >= LEAST_LETTERS && typed.length >= LEAST_LETTERS;
  const answers = useQueries({
    queries: SOURCES.map(({ group, path, read }) => ({
      queryKey: ['search', group, search, project],
      enabled: isWorthIt,
      retry: false,
      staleTime: 10_000,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        read(await answerOf<never>(await call('GET', path(search), { signal, headers: projectHeader() }))),
    })),
  });

  const silent = new Set(SOURCES.filter((_source, index) => answers[index]?.error).map(({ area }) => area));
  return {
    groups: [
      { name: 'By ID', found: recordsWithId(typed, roles) },
      { name: 'Pages', found: pagesLike(typed, roles) },
      { name: 'Actions', found: actionsLike(typed, roles) },
      { name: 'Settings', found: settingsLike(typed, roles) },
      ...SOURCES.map(({ group }, index) => ({ name: group, found: (isWorthIt && answers[index]?.data) || [] })),
    ].filter(({ found }) => found.length > 0) satisfies SearchGroup[],
    isSearching:
      isAdmin && typed.length >= LEAST_LETTERS && (typed !== search || answers.some((one) => one.isFetching)),
    /** Names of the services whose search failed. */
    silent: isWorthIt ? [...silent] : [],
  };
}

function pagesLike(text: string, roles: readonly string[]): Found[] {
  const pages = navigationFor(roles).flatMap(({ entries }) => entries.filter(({ isOutside }) => !isOutside));
  const like = pages.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()));
  return like.map(({ label, to }) => ({ key: to, label, to }));
}
