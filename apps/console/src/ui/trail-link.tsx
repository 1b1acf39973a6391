import { Button } from '@mantine/core';
import { IconListSearch } from '@tabler/icons-react';
import { Link } from 'react-router';

export interface TrailLinkProps {
  label?: string;
  /** Of the audit trail's page. */
  filters: Readonly<Record<string, string>>;
}

/** Leads to what the audit trail says of a record or a person. For administrators' pages. */
export function TrailLink({ label = 'History', filters }: TrailLinkProps) {
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
