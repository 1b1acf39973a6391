import { useQuery } from '@tanstack/react-query';
import type { AdminAnswers } from './answers/admin.js';
import { resource } from './api.js';

export type Project = AdminAnswers['listProjects']['items'][number];

/** A query for the projects that the signed-in user can work in. */
export const projectList = () => ({ ...resource<AdminAnswers['listProjects']>('/projects'), staleTime: 15_000 });

/** The projects of every installation, shown until the list has loaded. */
const SPECIFIED: readonly Project[] = ['Core', 'Commerce'].map((id) => ({ id, name: id }));

export const useProjects = (): readonly Project[] => useQuery(projectList()).data?.items ?? SPECIFIED;

/** Returns the name of a project, or its id when the user's list of projects does not contain it. */
export function useProjectName(): (id: string) => string {
  const projects = useProjects();
  return (id) => projects.find((project) => project.id === id)?.name ?? id;
}

/** Returns the options for a select of projects. */
export const useProjectOptions = () => useProjects().map(({ id, name }) => ({ value: id, label: name }));
