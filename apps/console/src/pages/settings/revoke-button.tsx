import { Button } from '@mantine/core';

/** Button for an action that cannot be undone. It has a distance from other buttons, so that it is not clicked by mistake. */
export function RevokeButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" color="red" ml="sm" onClick={onClick} aria-label={`Revoke ${name}`}>
      Revoke
    </Button>
  );
}
