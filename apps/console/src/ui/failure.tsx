import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AreaUnavailable } from '../api/areas.js';
import { ApiError } from '../api/client.js';

const AREAS = { platform: 'The platform API', runtime: 'The runtime', prompt: 'The prompt API' } as const;

function wordsFor(error: Error): { title: string; text: string; isMild: boolean } {
  if (error instanceof AreaUnavailable) {
    const text = `${AREAS[error.area]} does not answer: it may be switched off, or starting. The rest of the console works.`;
    return { title: 'This area is not available.', text, isMild: false };
  }
  const isMissing = error instanceof ApiError && error.status === 404;
  const title = isMissing ? 'There is nothing at this address.' : 'This could not be loaded.';
  const hint = isMissing ? ' It may have been deleted, or belong to the other project.' : '';
  return { title, text: error.message + hint, isMild: isMissing };
}

/** Where something could not be read: why, what to name to an operator, and another try. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const { title, text, isMild } = wordsFor(error);
  return (
    <Alert role="alert" color={isMild ? 'gray' : 'red'} icon={<IconAlertTriangle size={18} />} title={title}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{text}</Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            Request <Code>{requestId}</Code>
          </Text>
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
