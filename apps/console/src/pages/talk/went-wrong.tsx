import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AreaUnavailable } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';

/** An answer that did not come: why, what to name to an operator, and another try. The message is kept. */
export function WentWrong({ error, retry, dismiss }: { error: Error; retry: () => void; dismiss: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const isOff = error instanceof AreaUnavailable;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={isOff ? 'The runtime is not available.' : 'The answer did not come.'}
    >
      <Stack gap="xs">
        <Text size="sm">{error.message}</Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            Request ID <Code>{requestId}</Code>
          </Text>
        )}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={dismiss}>
            Dismiss
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
