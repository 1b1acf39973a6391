import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AreaUnavailable } from '../api/areas.js';
import { ApiError } from '../api/client.js';
import { CopyIcon } from './copy.js';

const AREAS = { platform: 'The platform API', runtime: 'The runtime', prompt: 'The prompt API' } as const;

function wordsFor(error: Error): { title: string; text: string; isMild: boolean } {
  if (error instanceof AreaUnavailable) {
    const text = `${AREAS[error.area]} is unavailable. It may be switched off or starting. The rest of the console works.`;
    return { title: 'Service unavailable', text, isMild: false };
  }
  const isMissing = error instanceof ApiError && error.status === 404;
  const title = isMissing ? 'Not found' : 'This could not be loaded';
  const hint = isMissing ? ' It may have been deleted, or it belongs to another project.' : '';
  return { title, text: error.message + hint, isMild: isMissing };
}

/** A failed read: the message, the request id for an operator, and a button to retry. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const { title, text, isMild } = wordsFor(error);
  return (
    <Alert role="alert" color={isMild ? 'gray' : 'red'} icon={<IconAlertTriangle size={18} />} title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {requestId !== null && (
          <Group gap={4} fz="xs" c="dimmed">
            Request ID <Code>{requestId}</Code>
            <CopyIcon value={requestId} label="request ID" />
          </Group>
        )}
        {retry && !isMild && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
