import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { RunDetail } from '../../api/runtime-records.js';

export interface RunFaultProps {
  error: NonNullable<RunDetail['error']>;
  /** Kind of the upstream that was called. The title names the kind if the upstream did not respond. */
  of?: 'model' | 'tool';
}

/** The reason why a run or a step failed, with the upstream's message for users who may read it. */
export function RunFault({ error, of = 'model' }: RunFaultProps) {
  const { code, message, status, detail } = error;
  return (
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} />}
      title={code === 'unavailable' ? `The ${of} didn't respond` : message}
    >
      <Text size="sm">
        {code}
        {status !== null && ` · the upstream answered ${status}`}
      </Text>
      {detail !== null && detail !== '' && (
        <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {detail}
        </Text>
      )}
    </Alert>
  );
}
