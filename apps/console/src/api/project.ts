import { useSyncExternalStore } from 'react';

export const PROJECTS = ['Core', 'Commerce'] as const;
export type Project = (typeof PROJECTS)[number];

const KEY = 'project';
const listeners = new Set<() => void>();

/** The project chosen in this browser, shared by its tabs and kept across visits. */
export function currentProject(): Project {
  return window.localStorage.getItem(KEY) === 'Commerce' ? 'Commerce' : 'Core';
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
export const useProject = (): Project => useSyncExternalStore(listen, currentProject);
