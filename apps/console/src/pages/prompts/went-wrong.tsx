import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AreaUnavailable } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';

/** A run without an answer: why, and what to name to an operator. What was typed is still there to be run again. */
export function WentWrong({ error }: { error: Error }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title="The answer did not come.">
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {error instanceof AreaUnavailable
            ? 'The model does not answer, or the prompt API itself is switched off or starting. Try again in a while.'
            : error.message}
        </Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            Request <Code>{requestId}</Code>
          </Text>
        )}
      </Stack>
    </Alert>
  );
}
