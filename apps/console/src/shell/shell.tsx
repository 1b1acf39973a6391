import { Burger, Group, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { NavLink as RouterLink, Outlet, ScrollRestoration, useLocation } from 'react-router';
import { resource } from '../api/api.js';
import { chooseProject, isProjectChosen, useProject } from '../api/project.js';
import { homeOf } from '../api/roles.js';
import type { Me } from '../api/admin-records.js';
import { Failure } from '../ui/failure.js';
import { HelpMenu } from './help-menu.js';
import mark from './mark.svg';
import { ProjectMenu } from './project-menu.js';
import { SearchButton } from './search/search-button.js';
import classes from './shell.module.css';
import { Sidebar } from './sidebar.js';
import { ThemeMenu } from './theme-menu.js';
import { UserMenu } from './user-menu.js';

const Overlays = lazy(async () => ({ default: (await import('./overlays.js')).Overlays }));

/** The frame around every page. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure();
  const me = useQuery(resource<Me>('/me'));
  const project = useProject();
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  useEffect(() => {
    // Another account may have chosen a project in this browser. Users who are not administrators work only in their own project.
    if (me.data && !me.data.is_admin && isProjectChosen()) chooseProject(me.data.project);
  }, [me.data]);

  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <header className={classes.header}>
        <Group gap="xs" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={opened ? 'Close navigation' : 'Open navigation'}
            aria-expanded={opened}
          />
          <RouterLink to={homeOf(me.data?.roles)} className={classes.brand}>
            <img src={mark} alt="" width={24} height={24} />
            Millwright
          </RouterLink>
        </Group>
        <Group gap="xs" wrap="nowrap">
          {me.data && <SearchButton roles={me.data.roles} />}
          {me.data?.is_admin && <ProjectMenu />}
          {me.data && <HelpMenu roles={me.data.roles} />}
          <ThemeMenu />
          {me.data && <UserMenu me={me.data} />}
        </Group>
      </header>

      <div className={classes.navbar} data-closed={!opened}>
        <Sidebar roles={me.data?.roles} />
      </div>

      <main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>
          {me.error && !me.data ? (
            <Failure error={me.error} retry={() => void me.refetch()} />
          ) : (
            <Suspense fallback={<PageSkeleton />}>
              <Outlet key={project} />
            </Suspense>
          )}
        </div>
      </main>
      <ScrollRestoration />
      <Suspense>
        <Overlays />
      </Suspense>
    </>
  );
}

function PageSkeleton() {
  return (
    <div aria-busy="true" aria-label="Loading">
      <Skeleton height={26} width={180} mb={10} />
      <Skeleton height={14} width={320} mb="lg" />
      <div className={classes.shape}>
        {[46, 62, 54, 70, 50].map((width) => (
          <Skeleton key={width} height={12} width={`${width}%`} />
        ))}
      </div>
    </div>
  );
}
