import { Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, type Location } from 'react-router';
import classes from './page-header.module.css';

export interface PageHeaderProps {
  title: string;
  /** Purpose or subject of the page. */
  text?: ReactNode;
  /** Picture before the title. */
  picture?: ReactNode;
  /** Badges beside the title. */
  badges?: ReactNode;
  actions?: ReactNode;
}

let openedBefore = false;

/** Navigation state for a change of the address that keeps the same page. The focus is then not moved to the heading. */
export const SAME_PAGE = 'same page';

/** A page's heading and document title. The heading takes the focus after a navigation, so that screen readers announce the page. */
export function PageHeader({ title, text, picture, badges, actions }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const location: Location<unknown> = useLocation();
  const { pathname, state } = location;
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
          {picture}
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
