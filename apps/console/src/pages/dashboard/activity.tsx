import { Group, Switch } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Decision, Items } from '../../api/admin-records.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { DecisionDrawer } from '../audit/decision-drawer.js';
import { EventTable } from '../audit/event-table.js';

const AGAIN_MS = 5_000;

/** The latest entries of the audit log. Entries of jobs are shown only on request, because a job writes an entry each minute. */
export function Activity() {
  const { values, set } = useUrlState(['row', 'jobs']);
  const hasJobs = values.jobs === 'shown';
  const decisions = useQuery({
    ...resource<Items<Decision>>('/dashboard/activity', { job_runs: hasJobs ? 'shown' : undefined }),
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title="Live activity"
      actions={
        <Group gap="md">
          <Switch
            size="xs"
            label="Job runs"
            checked={hasJobs}
            onChange={(event) => set({ jobs: event.currentTarget.checked ? 'shown' : null })}
          />
          <Link to={hasJobs ? '/audit?jobs=shown' : '/audit'}>View all</Link>
        </Group>
      }
      flush
    >
      <EventTable
        label="Live activity"
        query={decisions}
        onOpen={({ id }) => set({ row: id })}
        isShort
        empty={{ title: 'No events yet' }}
      />
      <DecisionDrawer
        id={values.row}
        listed={decisions.data?.items.find(({ id }) => id === values.row)}
        close={() => set({ row: null })}
      />
    </Section>
  );
}
