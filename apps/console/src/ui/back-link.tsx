import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Link above a record's page, back to its list. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button
      component={Link}
      to={to}
      variant="subtle"
      color="gray"
      size="compact-sm"
      mb="xs"
      ml={-8}
      px={8}
      leftSection={<IconArrowLeft size={14} />}
    >
      {children}
    </Button>
  );
}
