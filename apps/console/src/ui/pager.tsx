import { Group, Pagination, Text } from '@mantine/core';

export interface PagerProps {
  list: { total: number; page: number; per_page: number } | undefined;
  onPage: (page: number) => void;
}

/** The range of a list that is shown, and buttons to the other pages. */
export function Pager({ list, onPage }: PagerProps) {
  if (!list || list.total <= list.per_page) return null;
  const { total, page, per_page } = list;
  const pages = Math.ceil(total / per_page);
  const from = Math.min((page - 1) * per_page + 1, total);
  return (
    <Group justify="space-between" px={18} py="sm" style={{ borderTop: '1px solid var(--console-line)' }}>
      <Text size="sm" c="dimmed">
        {from}–{Math.min(page * per_page, total)} of {total.toLocaleString('en')}
      </Text>
      <Pagination
        size="sm"
        total={pages}
        value={page}
        onChange={onPage}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        getItemProps={(item) => ({ 'aria-label': `Page ${item}` })}
      />
    </Group>
  );
}
