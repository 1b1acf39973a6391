import { Badge } from '@mantine/core';
import type { User } from '../../api/records.js';

/** The roles, by the words that every page has for them. */
export const ROLES: Readonly<Record<User['role'], string>> = { user: 'User', admin: 'Administrator' };

export function RoleBadge({ user }: { user: { role: string; platform_admin: boolean } }) {
  if (user.platform_admin) return <Badge>Platform administrator</Badge>;
  return user.role === 'admin' ? <Badge>{ROLES.admin}</Badge> : <Badge color="gray">{ROLES.user}</Badge>;
}

export interface AccountState {
  status: string;
  deleted_at?: string | null;
  /** Left out where it is not known: nobody waits for a setup then. */
  passkeys?: number;
}

/** Whether someone can sign in with the account. */
export function AccountStatus({ account: { status, deleted_at = null, passkeys } }: { account: AccountState }) {
  if (deleted_at !== null) return <Badge color="red">Deleted</Badge>;
  if (status === 'inactive') return <Badge color="red">Disabled</Badge>;
  return passkeys === 0 ? <Badge color="orange">Setup pending</Badge> : <Badge>Active</Badge>;
}
