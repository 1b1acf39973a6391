import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import { useProject } from '../../api/project.js';
import { useHasRole } from '../../api/roles.js';
import type { DailyUsage, UsageRow } from './usage-data.js';

/**
 * Usage of the most used agents, prompts or users in the last 30 days, by their id. Agents and prompts are those of the project. Users are
 * those of all projects that the reader may see. The map is empty while the usage is loading, and when loading fails.
 */
export function useRecentUsage(by: 'agent' | 'prompt' | 'user'): ReadonlyMap<string, UsageRow> {
  const chosen = useProject();
  // Only platform admins can select a project. The server limits other readers to their own project.
  const project = useHasRole('platform_admin') && by !== 'user' ? chosen : undefined;
  const usage = useQuery({ ...resource<DailyUsage>('/usage', { by, project }), staleTime: 60_000, retry: false });
  return new Map(usage.data?.rows.map((row) => [row.id, row]));
}
