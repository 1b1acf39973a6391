import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { withQuery } from '../../api/api.js';
import { areaResource } from '../../api/areas.js';
import type { RunPage } from '../../api/runtime-records.js';
import { DataTable } from '../../ui/data-table.js';
import type { EmptyStateProps } from '../../ui/empty-state.js';
import { Section } from '../../ui/section.js';
import { RUN_COLUMNS } from './run-columns.js';

const SHOWN = 20;
const REFRESH_MS = 4_000;

export interface LatestRunsProps {
  /** Agent or prompt whose runs are listed. */
  of: { agent: string } | { prompt: string };
  actions?: ReactNode;
  empty: EmptyStateProps;
}

/** The latest runs of an agent or a prompt, with a link to all of its runs. */
export function LatestRuns({ of, actions, empty }: LatestRunsProps) {
  const runs = useQuery({
    ...areaResource<RunPage>('runtime', '/api/v1/runs', { ...of, limit: SHOWN }),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Section
      title="Latest runs"
      actions={
        <>
          {actions}
          <Link to={withQuery('/runs', of)}>View all</Link>
        </>
      }
      flush
    >
      <DataTable
        label="Runs"
        columns={RUN_COLUMNS}
        query={runs}
        rowKey={(run) => run.id}
        rowLink={(run) => `/runs/${run.id}`}
        empty={empty}
      />
    </Section>
  );
}
