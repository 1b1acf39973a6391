import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '../api/client.js';

/** Where something could not be read: why, what to name to an operator, and another try. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const isMissing = error instanceof ApiError && error.status === 404;
  return (
    <Alert
      role="alert"
      color={isMissing ? 'gray' : 'red'}
      icon={<IconAlertTriangle size={18} />}
      title={isMissing ? 'There is nothing at this address.' : 'This could not be loaded.'}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{error.message}</Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            Request <Code>{requestId}</Code>
          </Text>
        )}
        {retry && !isMissing && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
