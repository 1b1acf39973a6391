import { Button } from '@mantine/core';

/** Button for an irreversible action, at a distance from the buttons of reversible actions. */
export function RevokeButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" color="red" ml="sm" onClick={onClick} aria-label={`Revoke ${name}`}>
      Revoke
    </Button>
  );
}
