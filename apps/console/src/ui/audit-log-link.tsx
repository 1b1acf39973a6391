import { Button } from '@mantine/core';
import { IconHistory, IconUserSearch } from '@tabler/icons-react';
import { Link } from 'react-router';
import { AUDIT_ROLES, useHasRole } from '../api/roles.js';

export interface AuditLogLinkProps {
  /** `actions` for the audit rows of a user; `history` for the changes of a record. */
  kind?: 'history' | 'actions';
  /** Filters for the page of the audit log, by the name of the query parameter. */
  filters: Readonly<Record<string, string>>;
}

const KINDS = {
  history: { label: 'History', icon: IconHistory },
  actions: { label: 'Actions', icon: IconUserSearch },
} as const;

/** Link to the audit log of a record or a user, shown to users who may read the audit log. */
export function AuditLogLink({ kind = 'history', filters }: AuditLogLinkProps) {
  const mayRead = useHasRole(...AUDIT_ROLES);
  if (!mayRead) return null;
  const { label, icon: Icon } = KINDS[kind];
  return (
    <Button
      component={Link}
      to={`/audit?${new URLSearchParams(filters)}`}
      variant="subtle"
      color="gray"
      px="xs"
      leftSection={<Icon size={16} stroke={1.7} />}
    >
      {label}
    </Button>
  );
}
