import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { PageHeader } from '../ui/page-header.js';

export function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <Text mb="md">There is no page at this address. The link may be old, or was not copied whole.</Text>
      <Button component={Link} to="/profile" variant="default">
        Go to your profile
      </Button>
    </>
  );
}
