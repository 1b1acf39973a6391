import { useSyncExternalStore } from 'react';

/** Project in which administrators work until they choose another project. */
export const FIRST_PROJECT = 'Core';

const KEY = 'project';
const listeners = new Set<() => void>();

/** Returns the id of the chosen project. The browser stores the choice for all its tabs and for later visits. */
export function currentProject(): string {
  return window.localStorage.getItem(KEY) ?? FIRST_PROJECT;
}

/** Whether a project was chosen in this browser. */
export const isProjectChosen = (): boolean => window.localStorage.getItem(KEY) !== null;

export function chooseProject(project: string): void {
  window.localStorage.setItem(KEY, project);
  for (const notify of listeners) notify();
}

function listen(notify: () => void): () => void {
  listeners.add(notify);
  window.addEventListener('storage', notify);
  return () => {
    listeners.delete(notify);
    window.removeEventListener('storage', notify);
  };
}

/** Returns the chosen project, and renders the component again when it changes. */
export const useProject = (): string => useSyncExternalStore(listen, currentProject);
