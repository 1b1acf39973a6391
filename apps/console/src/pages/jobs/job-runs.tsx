import { Badge, Code, Drawer } from '@mantine/core';
import type { Job, JobRun } from '../../api/records.js';
import { DataTable } from '../../ui/data-table.js';
import { exactTime } from '../../ui/time.js';

/** The last runs of a job. */
export function JobRuns({ job, close }: { job: Job | undefined; close: () => void }) {
  return (
    <Drawer opened={job !== undefined} onClose={close} position="right" size="lg" title={`Runs of ${job?.name ?? ''}`}>
      {job && (
        <DataTable
          label="Runs"
          columns={[
            { title: 'Started', render: ({ started_at }: JobRun) => exactTime(started_at) },
            { title: 'Outcome', render: ({ outcome }) => <Outcome outcome={outcome} /> },
            { title: 'Took', render: duration, align: 'right' },
            {
              title: 'Detail',
              render: ({ detail }) =>
                detail === null || detail === undefined ? null : (
                  <Code style={{ overflowWrap: 'anywhere' }}>
                    {typeof detail === 'string' ? detail : JSON.stringify(detail)}
                  </Code>
                ),
            },
          ]}
          query={{ data: { items: job.runs }, error: null, refetch: () => undefined }}
          rowKey={({ started_at }) => started_at}
          empty={{ title: 'It did not run yet' }}
        />
      )}
    </Drawer>
  );
}

function duration({ started_at, finished_at }: JobRun): string {
  if (finished_at === null) return 'running';
  const milliseconds = new Date(finished_at).getTime() - new Date(started_at).getTime();
  return milliseconds < 1_000 ? `${milliseconds} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

const COLORS: Readonly<Record<string, string>> = {
  done: 'mill',
  succeeded: 'mill',
  ok: 'mill',
  failed: 'red',
  running: 'blue',
};

export function Outcome({ outcome }: { outcome: string }) {
  return <Badge color={COLORS[outcome] ?? 'gray'}>{outcome}</Badge>;
}
