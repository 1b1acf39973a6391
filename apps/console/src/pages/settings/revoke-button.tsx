import { Button } from '@mantine/core';

/** Set apart from the buttons whose effect can be undone. */
export function RevokeButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" color="red" ml="sm" onClick={onClick} aria-label={`Revoke ${name}`}>
      Revoke
    </Button>
  );
}
