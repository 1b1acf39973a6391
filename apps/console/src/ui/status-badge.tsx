import { Badge } from '@mantine/core';

const STATUSES: Readonly<Record<string, { label: string; color: string }>> = {
  active: { label: 'Active', color: 'mill' },
  inactive: { label: 'Inactive', color: 'gray' },
  published: { label: 'Published', color: 'mill' },
  draft: { label: 'Draft', color: 'yellow' },
  archived: { label: 'Archived', color: 'gray' },
  unreachable: { label: 'Unreachable', color: 'red' },
};

export function StatusBadge({ status }: { status: string }) {
  const { label, color } = STATUSES[status] ?? { label: status, color: 'gray' };
  return <Badge color={color}>{label}</Badge>;
}
