import { Avatar } from '@mantine/core';

/** Corner radius of an agent's picture. It is square, because the pictures of users are round. */
const RADIUS = 'sm';
/** Sets the normal text colour, because Mantine's colours for initials have too little contrast. */
const STYLES = { placeholder: { color: 'var(--mantine-color-text)' } } as const;

/**
 * An agent's initials, on a colour that is derived from the agent's name. The picture is decorative, because the name is beside the
 * picture.
 */
export function AgentAvatar({ name, size = 28 }: { name: string; size?: number }) {
  return (
    <Avatar aria-hidden name={name} color="initials" variant="light" size={size} radius={RADIUS} styles={STYLES} />
  );
}
