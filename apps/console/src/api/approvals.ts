import { queryOptions } from '@tanstack/react-query';
import { withQuery } from './api.js';
import { askArea } from './areas.js';
import { currentProject } from './project.js';
import type { Approval, ApprovalPage } from './runtime-records.js';

/** Number of approvals per page in the runtime API. */
const PAGE = 25;
/** Maximum number of pages that are read. This is enough for all approvals of a run, which has at most 8 answers of its model with 16 calls each. */
const MOST_PAGES = 6;

/** Milliseconds between reads of the approvals of child runs. The console polls, because these approvals do not change the parent run. */
const BELOW_MS = 2_000;

async function readAll(
  runId: string,
  { signal, below }: { signal?: AbortSignal; below?: boolean | undefined } = {},
): Promise<Approval[]> {
  const found: Approval[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = withQuery(`/api/v1/runs/${encodeURIComponent(runId)}/approvals`, {
      ...{ limit: PAGE, cursor, below: below ? 'true' : undefined },
    });
    const answer = await askArea<ApprovalPage>('runtime', 'GET', path, undefined, { signal });
    found.push(...answer.items);
    if (answer.next_cursor === null) break;
    cursor = answer.next_cursor;
  }
  return found.reverse();
}

/**
 * A query for all approvals of a run, oldest first. `stateAt` is the time of the run's last change of state; a new
 * time causes a new read. With `below`, the query also returns the approvals of the run's child runs, and is repeated every two seconds.
 */
export const runApprovals = (runId: string, stateAt?: string, below?: boolean) =>
  queryOptions({
    queryKey: ['runtime', 'api', 'v1', 'runs', runId, 'approvals', currentProject(), stateAt ?? '', below ?? false],
    queryFn: ({ signal }) => readAll(runId, { signal, below }),
    refetchInterval: below ? BELOW_MS : false,
  });

/** The current state of an approval; undefined when the approval can no longer be read. */
export const findApproval = async (runId: string, id: string): Promise<Approval | undefined> =>
  (await readAll(runId)).find((approval) => approval.id === id);
