import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Me } from '../../api/admin-records.js';
import { resource } from '../../api/api.js';
import { useWaitingRuns } from '../../api/waiting-runs.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { CursorPager } from '../../ui/pager.js';
import { Panel } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { SectionsShape } from '../../ui/loading.js';
import { WaitingRun } from './waiting-run.js';

const REFRESH_MS = 4_000;

/** Runs that wait for a person, latest first, each with the decisions to make. */
function InboxPage() {
  const {
    values: { cursor },
    set,
  } = useUrlState(['cursor']);
  const me = useQuery(resource<Me>('/me'));
  const runs = useWaitingRuns({ refreshMs: REFRESH_MS, cursor });
  const isAdmin = me.data?.is_admin === true;
  const next = runs.data?.next_cursor ?? null;
  return (
    <>
      <PageHeader
        title="Inbox"
        text={isAdmin ? 'Runs of this project that wait for a person.' : 'Your runs that wait for you.'}
      />
      {runs.error && !runs.data && <Failure error={runs.error} retry={() => void runs.refetch()} />}
      {runs.isPending && <SectionsShape />}
      {runs.data?.items.length === 0 && (
        <Panel label="Inbox">
          <EmptyState
            title="Nothing to decide"
            text="A run appears here when it needs a person before it can go on."
            action={
              <Button component={Link} to="/runs" variant="default">
                All runs
              </Button>
            }
          />
        </Panel>
      )}
      {runs.data?.items.map((run) => (
        <WaitingRun key={run.id} run={run} isAdmin={isAdmin} />
      ))}
      <CursorPager cursor={cursor} next={next} onCursor={(chosen) => set({ cursor: chosen })} />
    </>
  );
}

export { InboxPage as Component };
