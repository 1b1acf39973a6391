import { Badge, NavLink, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { NavLink as RouterLink, useLocation } from 'react-router';
import { INBOX_PAGE, useWaitingRuns } from '../api/waiting-runs.js';
import { navigationFor, type NavigationGroup } from './navigation.js';
import classes from './sidebar.module.css';

/** The navigation: the groups of pages scroll, and the entries of the account stay below them. */
export function Sidebar({ roles }: { roles: readonly string[] | undefined }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname, roles]);
  const groups = roles && navigationFor(roles);
  return (
    <nav ref={nav} aria-label="Console" className={classes.sidebar}>
      <div className={classes.pages}>{groups ? groups.filter(({ isOwn }) => !isOwn).map(groupOf) : <Loading />}</div>
      <div className={classes.own}>{groups?.filter(({ isOwn }) => isOwn).map(groupOf)}</div>
    </nav>
  );
}

const groupOf = (group: NavigationGroup) => <Entries key={group.label} {...group} />;

function Entries({ label, entries, isOwn = false }: NavigationGroup) {
  return (
    <div className={classes.group}>
      <Text component="h2" className={isOwn ? undefined : classes.label}>
        {isOwn ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </Text>
      {entries.map(({ label: text, to, icon: Icon, countsWaiting = false, isOutside = false }) => {
        const shown = {
          label: text,
          leftSection: <Icon size={17} stroke={1.7} aria-hidden />,
          className: classes.link,
          ...(countsWaiting && { rightSection: <WaitingCount /> }),
        };
        return isOutside ? (
          <NavLink key={to} href={to} {...shown} />
        ) : (
          <NavLink key={to} component={RouterLink} to={to} end={to === '/'} {...shown} />
        );
      })}
    </div>
  );
}

const COUNT_AGAIN_MS = 15_000;

/** The number of runs that wait for a person; renders nothing for 0. */
function WaitingCount() {
  const { data } = useWaitingRuns({ refreshMs: COUNT_AGAIN_MS });
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  return (
    <Badge color="yellow">
      {data?.next_cursor == null ? count : `${INBOX_PAGE}+`}
      <VisuallyHidden> waiting</VisuallyHidden>
    </Badge>
  );
}

function Loading() {
  return (
    <div className={classes.group} aria-hidden>
      {[110, 90, 120, 80].map((width) => (
        <Skeleton key={width} height={14} width={width} my={14} ml={12} />
      ))}
    </div>
  );
}
