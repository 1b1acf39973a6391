import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { Link } from 'react-router';

/** Link to the page of a run, from wherever its effects are shown. */
export function RunLink({ id, label = 'View run' }: { id: string; label?: string }) {
  return (
    <Button
      component={Link}
      to={`/runs/${id}`}
      size="compact-sm"
      variant="subtle"
      color="gray"
      leftSection={<IconActivity size={14} stroke={1.7} aria-hidden />}
    >
      {label}
    </Button>
  );
}
