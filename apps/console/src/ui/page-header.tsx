import { Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';

export interface PageHeaderProps {
  title: string;
  /** What the page is for, or what it shows. */
  text?: ReactNode;
  /** Beside the title: what its subject is. */
  badges?: ReactNode;
  actions?: ReactNode;
}

let openedBefore = false;

/** State of a navigation that only names what is there already: the focus stays where it is. */
export const SAME_PAGE = 'same page';

/** A page's heading and document title. It takes the focus when one page replaces another, so that a screen reader says so. */
export function PageHeader({ title, text, badges, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname, state } = useLocation() as { pathname: string; state: unknown };
  const isSamePage = state === SAME_PAGE;
  useEffect(() => {
    document.title = `${title} · Millwright`;
  }, [title]);
  useEffect(() => {
    if (openedBefore && !isSamePage) heading.current?.focus({ preventScroll: true });
    openedBefore = true;
  }, [pathname, isSamePage]);
  return (
    <Group component="header" justify="space-between" align="flex-start" mb="lg" gap="md">
      <div style={{ flex: '1 1 320px', minWidth: 0 }}>
        <Group gap="xs">
          <Title order={1} ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </Title>
          {badges}
        </Group>
        {text !== undefined && (
          <Text c="dimmed" mt={4} maw={640}>
            {text}
          </Text>
        )}
      </div>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  );
}
