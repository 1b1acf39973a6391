import { Badge, Drawer, Text } from '@mantine/core';
import type { Job, JobRun } from '../../api/records.js';
import { DataTable } from '../../ui/data-table.js';
import { exactTime } from '../../ui/time.js';

/** The last runs of a job. */
export function JobRuns({ job, close }: { job: Job | undefined; close: () => void }) {
  return (
    <Drawer opened={job !== undefined} onClose={close} position="right" size={820} title={`Runs of ${job?.name ?? ''}`}>
      {job && (
        <DataTable
          label="Runs"
          columns={[
            {
              title: 'Started',
              render: ({ started_at }: JobRun) => (started_at === null ? 'waits' : exactTime(started_at)),
            },
            { title: 'By', render: ({ origin }) => (origin === 'schedule' ? 'Schedule' : 'Hand') },
            { title: 'Outcome', render: ({ outcome }) => <Outcome outcome={outcome} /> },
            { title: 'Took', render: duration, align: 'right' },
            {
              title: 'Detail',
              render: ({ detail }) =>
                Object.entries(detail).map(([name, value]) => (
                  <Text key={name} size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                    {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
                  </Text>
                )),
            },
          ]}
          query={{ data: { items: job.runs }, error: null, refetch: () => undefined }}
          rowKey={({ tick, origin }) => `${origin} ${tick}`}
          empty={{
            title: 'It did not run yet',
            text: 'Run it now, or wait for its schedule: each run is listed here.',
          }}
        />
      )}
    </Drawer>
  );
}

function duration({ started_at, finished_at }: JobRun): string {
  if (started_at === null || finished_at === null) return '';
  const milliseconds = new Date(finished_at).getTime() - new Date(started_at).getTime();
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

const OUTCOMES = {
  succeeded: { label: 'Succeeded', color: 'mill' },
  failed: { label: 'Failed', color: 'red' },
  refused: { label: 'Refused', color: 'orange' },
} as const;

export function Outcome({ outcome }: Pick<JobRun, 'outcome'>) {
  if (outcome === null) return <Badge color="gray">Not finished</Badge>;
  return <Badge color={OUTCOMES[outcome].color}>{OUTCOMES[outcome].label}</Badge>;
}
