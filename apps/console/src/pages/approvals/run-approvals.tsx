import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { runApprovals } from '../../api/approvals.js';
import type { Run } from '../../api/runtime-records.js';
import { Failure } from '../../ui/failure.js';
import { TextShape } from '../../ui/loading.js';
import { ApprovalCard } from './approval-card.js';

interface RunApprovalsProps {
  run: Pick<Run, 'id'> & Partial<Pick<Run, 'state_at'>>;
  /** Whether the run waits for child runs. If so, the calls of the child runs are shown too. */
  below?: boolean;
}

/** The calls of a waiting run about which a person has to decide. */
export function RunApprovals({ run: { id, state_at }, below = false }: RunApprovalsProps) {
  const approvals = useQuery(runApprovals(id, state_at, below));
  if (approvals.error && !approvals.data)
    return <Failure error={approvals.error} retry={() => void approvals.refetch()} />;
  if (!approvals.data) return <TextShape lines={4} />;
  const pending = approvals.data.filter(({ state }) => state === 'pending');
  if (pending.length === 0)
    return below ? null : (
      <Text size="sm" c="dimmed">
        All calls are decided. The run goes on.
      </Text>
    );
  return (
    <Stack gap="sm">
      {pending.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} />
      ))}
    </Stack>
  );
}
