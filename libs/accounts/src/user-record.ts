import { accountRole } from '@millwright/auth';
import { encodeId, type Tx } from '@millwright/db';

export type UserRow = NonNullable<Awaited<ReturnType<Tx['user']['findUnique']>>>;

/** An account as the command line lists it. */
export interface UserRecord {
  id: string;
  email: string;
  name: string;
  role: string;
  platform_admin: boolean;
  project: string;
  status: string;
  created_at: string;
}

export function toUserRecord(row: UserRow): UserRecord {
  return {
    id: encodeId('usr', row.id),
    email: row.email,
    name: row.name,
    role: accountRole(row),
    platform_admin: row.platform_admin,
    project: row.project,
    status: row.status,
    created_at: row.created_at.toISOString(),
  };
}
