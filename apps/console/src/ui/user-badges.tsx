import { Badge } from '@mantine/core';
import type { User } from '../api/admin-records.js';

/** Labels of the roles. */
export const ROLES: Readonly<Record<User['role'], string>> = {
  user: 'User',
  project_admin: 'Project administrator',
  auditor: 'Auditor',
  admin: 'Administrator',
};

export function RoleBadge({ user }: { user: { role: User['role']; platform_admin: boolean } }) {
  if (user.platform_admin) return <Badge>Platform administrator</Badge>;
  return user.role === 'user' ? <Badge color="gray">{ROLES.user}</Badge> : <Badge>{ROLES[user.role]}</Badge>;
}

export interface AccountState {
  status: string;
  deleted_at?: string | null;
  /** Number of passkeys; undefined if unknown. An account with the number 0 is shown as pending. */
  passkeys?: number;
}

/** Shows the sign-in status of an account. */
export function AccountStatus({ account: { status, deleted_at = null, passkeys } }: { account: AccountState }) {
  if (deleted_at !== null) return <Badge color="red">Deleted</Badge>;
  if (status === 'inactive') return <Badge color="red">Disabled</Badge>;
  return passkeys === 0 ? <Badge color="orange">Setup pending</Badge> : <Badge>Active</Badge>;
}
