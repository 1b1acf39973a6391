import { Button } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { AUDIT_ROLES, useHasRole } from '../api/roles.js';

export interface AuditLogLinkProps {
  label?: string;
  /** Query of the audit log's page. */
  filters: Readonly<Record<string, string>>;
}

/** Link to the audit log of a record or a user, shown to users who may read the audit log. */
export function AuditLogLink({ label = 'History', filters }: AuditLogLinkProps) {
  const mayRead = useHasRole(...AUDIT_ROLES);
  if (!mayRead) return null;
  return (
    <Button
      component={Link}
      to={`/audit?${new URLSearchParams(filters)}`}
      variant="subtle"
      color="gray"
      px="xs"
      leftSection={<IconListSearch size={16} stroke={1.7} />}
    >
      {label}
    </Button>
  );
}
