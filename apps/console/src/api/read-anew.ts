import { notifyManager, type QueryClient, type QueryFilters } from '@tanstack/react-query';

/**
 * Reads what pages show of these once more, after a change. A read that is under way was perhaps answered before the
 * change: it is given up. Resolves when all are read, or could not be.
 */
export function readAnew(queries: QueryClient, filters: QueryFilters): Promise<void> {
  // In one batch: nobody sees a query that is neither read nor being read.
  return notifyManager.batch(() => {
    void queries.cancelQueries(filters);
    return queries.invalidateQueries(filters);
  });
}
