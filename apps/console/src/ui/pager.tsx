import { Button, Group, Pagination, Text } from '@mantine/core';

export interface PagerProps {
  list: { total: number; page: number; per_page: number } | undefined;
  onPage: (page: number) => void;
}

/** Shows which part of the list is on the page, with buttons to the other pages. */
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

export interface CursorPagerProps {
  /** The cursor of the page that is shown; empty for the first page. */
  cursor: string;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** Opens the page of a cursor; `null` opens the first page. */
  onCursor: (cursor: string | null) => void;
  note?: string;
}

/** Buttons to the first and the next page of a list that is read by cursors, latest first. */
export function CursorPager({ cursor, next, onCursor, note }: CursorPagerProps) {
  if (cursor === '' && next === null) return null;
  return (
    <Group justify="space-between" px={18} py="sm">
      <Button variant="default" size="xs" disabled={cursor === ''} onClick={() => onCursor(null)}>
        Latest
      </Button>
      {note !== undefined && (
        <Text size="sm" c="dimmed">
          {note}
        </Text>
      )}
      <Button variant="default" size="xs" disabled={next === null} onClick={() => onCursor(next)}>
        Older
      </Button>
    </Group>
  );
}
