import { Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { resource } from '../api/api.js';
import type { Me } from '../api/admin-records.js';
import { useProjects } from '../api/projects.js';
import { FilterSelect } from './filters.js';

/** Returns the project to show and whether the user may choose it. The project `undefined` means all projects that the user may see. */
export function useShownProject(chosen: string) {
  const me = useQuery(resource<Me>('/me'));
  const projects = useProjects();
  const mayChoose = me.data?.roles.includes('platform_admin') ?? false;
  const isKnown = projects.some(({ id }) => id === chosen);
  return { mayChoose, projects, project: mayChoose && isKnown ? chosen : undefined };
}

export interface ProjectPeriodProps {
  shown: ReturnType<typeof useShownProject>;
  onProject: (project: string) => void;
  /** Labels of the periods. */
  periods: Readonly<Record<string, string>>;
  period: string;
  onPeriod: (period: string) => void;
  /** Further actions of the page, such as buttons. */
  children?: ReactNode;
}

/** The choice of project and period above figures of usage. */
export function ProjectPeriod({ shown, onProject, periods, period, onPeriod, children }: ProjectPeriodProps) {
  return (
    <Group gap="xs">
      {shown.mayChoose && (
        <FilterSelect
          label="Project"
          all="All projects"
          value={shown.project ?? ''}
          options={Object.fromEntries(shown.projects.map(({ id, name }) => [id, name]))}
          onChange={onProject}
        />
      )}
      <SegmentedControl
        aria-label="Period"
        data={Object.entries(periods).map(([value, label]) => ({ value, label }))}
        value={period}
        onChange={onPeriod}
      />
      {children}
    </Group>
  );
}
