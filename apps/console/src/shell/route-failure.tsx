import { Button, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ApiError } from '../api/client.js';
import { Failure } from '../ui/failure.js';

/** Replaces a page that failed to render. After an update, old code files no longer exist, and a reload fetches the new files. */
export function RouteFailure() {
  const error = useRouteError();
  if (error instanceof ApiError) return <Failure error={error} />;
  return (
    <Stack align="flex-start" p="md" role="alert">
      <Title order={1}>This page could not be shown</Title>
      <Text>
        {error instanceof Error ? error.message : 'Something went wrong.'} If the console was updated in the meantime,
        reload the page.
      </Text>
      <Button onClick={() => window.location.reload()}>Reload page</Button>
    </Stack>
  );
}
