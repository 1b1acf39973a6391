import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { ConsoleLink } from '../../ui/console-link.js';

/** Link to the page of a run, for pages that show effects of the run. */
export function RunLink({ id, label = 'View run' }: { id: string; label?: string }) {
  return (
    <Button
      component={ConsoleLink}
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
