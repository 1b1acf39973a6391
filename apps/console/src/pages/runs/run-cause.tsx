import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { RunDetail } from '../../api/runtime-records.js';
import { ConsoleLink } from '../../ui/console-link.js';
import { RunLink } from './run-link.js';

/** The answer of the upstream that made a run fail, and a link to the run. Only users who may read all runs get the upstream's answer. */
export function RunCause({ id }: { id: string }) {
  const run = useQuery(areaResource<RunDetail>('runtime', `/api/v1/runs/${id}`));
  const { status = null, detail = null } = run.data?.error ?? {};
  const text = [status === null ? '' : `The upstream answered ${status}.`, detail ?? ''].filter(Boolean).join(' ');
  return (
    <>
      {text !== '' && (
        <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {text}
        </Text>
      )}
      <RunLink id={id} />
    </>
  );
}

/** Link to the failed runs of the last hour, for a failure that does not name its run. */
export const FailedRuns = () => (
  <Text size="sm">
    <ConsoleLink to="/runs?has_error=true&period=hour">See the cause under Runs</ConsoleLink>
  </Text>
);
