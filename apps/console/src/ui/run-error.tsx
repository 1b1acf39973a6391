import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AreaUnavailable } from '../api/areas.js';
import { ApiError } from '../api/client.js';

export interface RunErrorProps {
  error: Error;
  /** Title and text that are shown while the service is off. */
  off: { title: string; text: string };
  /** Buttons below the error. */
  children?: ReactNode;
}

/** The reason why an agent or a prompt gave no answer, with the request id for an operator. */
export function RunError({ error, off, children }: RunErrorProps) {
  const requestId = error instanceof ApiError ? error.requestId : null;
  const isOff = error instanceof AreaUnavailable;
  const isModel = error instanceof ApiError && error.code === 'unavailable';
  const text = isModel ? "The model didn't respond. Try again shortly." : error.message;
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} />} title={isOff ? off.title : 'No answer'}>
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {isOff ? off.text : text}
        </Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            Request ID <Code>{requestId}</Code>
          </Text>
        )}
        {children}
      </Stack>
    </Alert>
  );
}
