import { useSyncExternalStore } from 'react';

export const PROJECTS = ['Core', 'Commerce'] as const;
export type Project = (typeof PROJECTS)[number];

const KEY = 'project';
const listeners = new Set<() => void>();

/** In which project this browser works. It outlives the page, and is the same in every tab. */
export function currentProject(): Project {
  return window.localStorage.getItem(KEY) === 'Commerce' ? 'Commerce' : 'Core';
}

export function chooseProject(project: Project): void {
  window.localStorage.setItem(KEY, project);
  for (const tell of listeners) tell();
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  window.addEventListener('storage', tell);
  return () => {
    listeners.delete(tell);
    window.removeEventListener('storage', tell);
  };
}

/** The same for what is drawn: it is drawn anew when another one is chosen. */
export const useProject = (): Project => useSyncExternalStore(listen, currentProject);
