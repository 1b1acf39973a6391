import { Badge, Button, Code, Text } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, Job } from '../../api/records.js';
import { DataTable } from '../../ui/data-table.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { JobRuns, Outcome } from './job-runs.js';
import { SigningKeys } from './signing-keys.js';

const REFRESH_MS = 15_000;

function JobsPage() {
  const jobs = useQuery({ ...resource<Items<Job>>('/jobs'), refetchInterval: REFRESH_MS });
  const { values, set } = useUrlState(['job']);
  const run = useAction((name: string) => send('POST', `/jobs/${encodeURIComponent(name)}/run`), {
    refresh: [['jobs']],
    done: 'It will run within a few seconds.',
  });
  return (
    <>
      <PageHeader title="Jobs" text="What runs by itself, in whose name, and how it went." />
      <Section title="Scheduled jobs" flush>
        <DataTable
          label="Scheduled jobs"
          columns={[
            {
              title: 'Job',
              render: ({ name, extension, enabled }: Job) => (
                <div>
                  <Text size="sm" fw={550}>
                    {name} {!enabled && <Badge color="gray">Off</Badge>}
                  </Text>
                  {extension !== name && (
                    <Text size="xs" c="dimmed">
                      {extension}
                    </Text>
                  )}
                </div>
              ),
            },
            { title: 'Schedule', render: ({ schedule }) => <Code>{schedule}</Code> },
            { title: 'In the name of', render: ({ owner }) => owner },
            {
              title: 'Last run',
              render: ({ last_run }) =>
                last_run ? (
                  <>
                    <Outcome outcome={last_run.outcome} /> <Time at={last_run.started_at} none="" />
                  </>
                ) : (
                  <Time at={null} />
                ),
            },
            { title: 'Next run', render: ({ next_run_at }) => <Time at={next_run_at} none="not planned" /> },
            {
              title: 'Actions',
              isActions: true,
              render: ({ name }) => (
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
              ),
            },
          ]}
          query={jobs}
          rowKey={({ name }) => name}
          onOpen={({ name }) => set({ job: name })}
          isFaded={({ enabled }) => !enabled}
          empty={{ title: 'No job is configured', text: 'Jobs are listed in config/jobs.yaml.' }}
        />
      </Section>
      <SigningKeys />
      <JobRuns job={jobs.data?.items.find(({ name }) => name === values.job)} close={() => set({ job: null })} />
    </>
  );
}

export { JobsPage as Component };
