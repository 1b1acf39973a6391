import { AppShell, Burger, Group, NavLink, ScrollArea, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { NavLink as RouterLink, Outlet, ScrollRestoration, useLocation } from 'react-router';
import { resource } from '../api/api.js';
import { useProject } from '../api/project.js';
import type { Me } from '../api/records.js';
import { Failure } from '../ui/failure.js';
import mark from './mark.svg';
import { navigationFor } from './navigation.js';
import { ProjectMenu } from './project-menu.js';
import { SearchButton } from './search/search-button.js';
import classes from './shell.module.css';
import { ThemeMenu } from './theme-menu.js';
import { UserMenu } from './user-menu.js';

/** What every page stands in. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const me = useQuery(resource<Me>('/me'));
  const project = useProject();
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);

  return (
    <AppShell header={{ height: 52 }} navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !opened } }}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <AppShell.Header className={classes.header}>
        <Group gap="xs" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close navigation' : 'Open navigation'}
            aria-expanded={opened}
          />
          <RouterLink to={me.data?.is_admin ? '/' : '/profile'} className={classes.brand}>
            <img src={mark} alt="" width={24} height={24} />
            Millwright
          </RouterLink>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {me.data && <SearchButton roles={me.data.roles} />}
          {me.data?.is_admin && <ProjectMenu />}
          <ThemeMenu />
          {me.data && <UserMenu me={me.data} />}
        </Group>
      </AppShell.Header>

      <AppShell.Navbar className={classes.navbar} data-closed={!opened}>
        <ScrollArea type="never" component="nav" aria-label="Console">
          {me.data ? <Navigation roles={me.data.roles} /> : <NavigationSkeleton />}
        </ScrollArea>
      </AppShell.Navbar>

      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          {me.error ? (
            <Failure error={me.error} retry={() => void me.refetch()} />
          ) : (
            <Suspense fallback={<PageSkeleton />}>
              <Outlet key={project} />
            </Suspense>
          )}
        </div>
      </AppShell.Main>
      <ScrollRestoration />
    </AppShell>
  );
}

function Navigation({ roles }: { roles: readonly string[] }) {
  return navigationFor(roles).map(({ label, entries }) => (
    <div key={label} className={classes.group}>
      <Text component="h2" className={classes.groupLabel}>
        {label}
      </Text>
      {entries.map(({ label: text, to, icon: Icon }) => (
        <NavLink
          key={to}
          component={RouterLink}
          to={to}
          end={to === '/'}
          label={text}
          leftSection={<Icon size={17} stroke={1.7} aria-hidden />}
          className={classes.link}
        />
      ))}
    </div>
  ));
}

function NavigationSkeleton() {
  return (
    <div className={classes.group} aria-hidden>
      {[110, 90, 120, 80].map((width) => (
        <Skeleton key={width} height={14} width={width} my={14} ml={12} />
      ))}
    </div>
  );
}

function PageSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading">
      <Skeleton height={26} width={180} mb="lg" />
      <Skeleton height={180} radius="md" />
    </div>
  );
}
