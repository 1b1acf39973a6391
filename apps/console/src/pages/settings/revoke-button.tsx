import { Button } from '@mantine/core';

/** Apart from what can be undone. */
export function RevokeButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" color="red" ml="sm" onClick={onClick} aria-label={`Revoke ${name}`}>
      Revoke
    </Button>
  );
}
