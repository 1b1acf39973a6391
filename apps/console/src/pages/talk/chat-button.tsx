import { Button } from '@mantine/core';
import { IconMessage } from '@tabler/icons-react';
import { Link } from 'react-router';

/** Link to an agent's chat, for a row of a list. */
export function ChatButton({ name, slug }: { name: string; slug: string }) {
  return (
    <Button
      component={Link}
      to={`/talk/${slug}`}
      size="compact-sm"
      variant="default"
      leftSection={<IconMessage size={13} />}
      aria-label={`Chat with ${name}`}
    >
      Chat
    </Button>
  );
}
