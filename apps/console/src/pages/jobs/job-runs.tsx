import { Badge, Drawer, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Job, JobRun } from '../../api/admin-records.js';
import { DataTable } from '../../ui/data-table.js';
import { exactTime } from '../../ui/time.js';
import classes from './job-runs.module.css';
import { detailLines, jobText } from './run-detail.js';
import { Schedule } from './schedule.js';

export interface JobRunsProps {
  job: Job | undefined;
  close: () => void;
  runNow: (job: Job) => ReactNode;
}

export function JobRuns({ job, close, runNow }: JobRunsProps) {
  return (
    <Drawer
      opened={job !== undefined}
      onClose={close}
      position="right"
      size={820}
      padding={18}
      title={`Runs of ${job?.name ?? ''}`}
    >
      {job && (
        <>
          <Group justify="space-between" mb="md">
            <div>
              <Text size="sm">{jobText(job.extension)}</Text>
              <Schedule schedule={job.schedule} />
            </div>
            {runNow(job)}
          </Group>
          <div className={classes.runs}>
            <DataTable
              label="Runs"
              columns={[
                {
                  title: 'Started',
                  render: ({ started_at }: JobRun) => (started_at === null ? '—' : exactTime(started_at)),
                },
                { title: 'Trigger', render: ({ origin }) => (origin === 'schedule' ? 'Schedule' : 'Manual') },
                { title: 'Result', render: (run) => <Outcome run={run} /> },
                { title: 'Duration', render: duration, align: 'right' },
                { title: 'Details', render: (run) => <Detail lines={detailLines(job.extension, run)} /> },
              ]}
              query={{ data: { items: job.runs }, error: null, refetch: () => undefined }}
              rowKey={({ tick: scheduledAt, origin }) => `${origin} ${scheduledAt}`}
              empty={{ title: 'No runs yet', text: 'Run it now, or wait for its schedule.' }}
            />
          </div>
        </>
      )}
    </Drawer>
  );
}

function Detail({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => (
    <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {line}
    </Text>
  ));
}

function duration({ started_at, finished_at }: JobRun): string {
  if (started_at === null || finished_at === null) return '—';
  const milliseconds = new Date(finished_at).getTime() - new Date(started_at).getTime();
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

const OUTCOMES = {
  succeeded: { label: 'Succeeded', color: 'mill' },
  failed: { label: 'Failed', color: 'red' },
  refused: { label: 'Refused', color: 'orange' },
} as const;

export function Outcome({ run: { outcome, started_at } }: { run: Pick<JobRun, 'outcome' | 'started_at'> }) {
  if (outcome === null) return <Badge color="gray">{started_at === null ? 'Queued' : 'Running'}</Badge>;
  return <Badge color={OUTCOMES[outcome].color}>{OUTCOMES[outcome].label}</Badge>;
}
