import { Badge } from '@mantine/core';
import type { User } from '../../api/records.js';

/** What sets an account apart. */
export function UserBadges({ user }: { user: User }) {
  return (
    <>
      {user.platform_admin && <Badge>Platform administrator</Badge>}
      {!user.platform_admin && user.role === 'admin' && <Badge>Administrator</Badge>}
      {user.role === 'user' && <Badge color="gray">User</Badge>}
      {user.deleted_at ? <Badge color="red">Deleted</Badge> : null}
      {!user.deleted_at && user.status === 'inactive' && <Badge color="red">Disabled</Badge>}
    </>
  );
}
