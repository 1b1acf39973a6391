import { notifyManager, type QueryClient, type QueryFilters } from '@tanstack/react-query';

/**
 * Fetches the queries again after a change. A fetch under way is cancelled, because its answer may be older than
 * the change. Resolves when every fetch has ended.
 */
export function invalidate(queries: QueryClient, filters: QueryFilters): Promise<void> {
  // One batch, so that no component renders between the cancellation and the new fetch.
  return notifyManager.batch(() => {
    void queries.cancelQueries(filters);
    return queries.invalidateQueries(filters);
  });
}
