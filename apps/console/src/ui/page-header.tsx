import { Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import classes from './page-header.module.css';

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
    <header className={classes.header}>
      <div className={classes.words}>
        <Group gap="xs" className={classes.title}>
          <Title order={1} ref={heading} tabIndex={-1}>
            <bdi>{title}</bdi>
          </Title>
          {badges}
        </Group>
        {text !== undefined && (
          <Text c="dimmed" maw={640}>
            {text}
          </Text>
        )}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
