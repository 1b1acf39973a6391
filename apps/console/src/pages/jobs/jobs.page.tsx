import { Badge, Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, Job } from '../../api/admin-records.js';
import { DataTable } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { JobRuns, Outcome } from './job-runs.js';
import { jobText } from './run-detail.js';
import { Schedule } from './schedule.js';

const REFRESH_MS = 15_000;
const MINUTE_MS = 60_000;

function JobsPage() {
  const jobs = useQuery({ ...resource<Items<Job>>('/jobs'), refetchInterval: REFRESH_MS });
  const { values, set } = useUrlState(['job']);
  const run = useAction((name: string) => send('POST', `/jobs/${encodeURIComponent(name)}/run`), {
    refresh: [['jobs']],
    done: 'The job will run within a few seconds.',
  });
  const runNow = ({ name }: Job) => (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconPlayerPlay size={13} />}
      onClick={() => run.mutate(name)}
      loading={run.isPending && run.variables === name}
      aria-label={`Run ${name} now`}
    >
      Run now
    </Button>
  );
  return (
    <>
      <PageHeader title="Jobs" text="Scheduled background jobs and their last results." />
      <Section title="Scheduled jobs" flush>
        <DataTable
          label="Scheduled jobs"
          columns={[
            {
              title: 'Job',
              render: ({ name, extension, enabled }: Job) => (
                <NamedCell
                  name={name}
                  text={jobText(extension) ?? extension}
                  badges={!enabled && <Badge color="gray">Off</Badge>}
                />
              ),
            },
            { title: 'Schedule', render: ({ schedule }) => <Schedule schedule={schedule} /> },
            { title: 'Runs as', render: ({ owner }) => owner },
            {
              title: 'Last run',
              render: ({ last_run }) =>
                last_run ? (
                  <>
                    <Outcome run={last_run} /> <Time at={last_run.started_at} none="" />
                  </>
                ) : (
                  <Time at={null} none="—" />
                ),
            },
            { title: 'Next run', render: ({ next_run_at }) => <NextRun at={next_run_at} /> },
            { title: 'Actions', isActions: true, render: runNow },
          ]}
          query={jobs}
          rowKey={({ name }) => name}
          onOpen={({ name }) => set({ job: name })}
          isFaded={({ enabled }) => !enabled}
          empty={{ title: 'No jobs configured', text: 'Jobs are listed in config/jobs.yaml.' }}
        />
      </Section>
      <JobRuns
        job={jobs.data?.items.find(({ name }) => name === values.job)}
        close={() => set({ job: null })}
        runNow={runNow}
      />
    </>
  );
}

/** The time of a job's next run. Within the last minute it is inexact, because the list may be some seconds old. */
function NextRun({ at }: { at: string | null }) {
  if (at !== null && new Date(at).getTime() - Date.now() < MINUTE_MS)
    return <span style={{ whiteSpace: 'nowrap' }}>in under a minute</span>;
  return <Time at={at} none="—" />;
}

export { JobsPage as Component };
