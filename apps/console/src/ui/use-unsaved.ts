import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router';
import { confirm } from './confirm.js';

/**
 * Asks for confirmation before a navigation drops unsaved changes.
 *
 * @returns a function to call before the page itself navigates after a save.
 */
export function useUnsaved(isDirty: boolean): () => void {
  const isUnsaved = useRef(isDirty);
  useEffect(() => {
    isUnsaved.current = isDirty;
  }, [isDirty]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    confirm({
      title: 'Leave without saving?',
      text: 'Your changes will be lost.',
      action: 'Leave',
      work: () => {
        blocker.proceed();
        return Promise.resolve();
      },
      onCancel: () => blocker.reset(),
    });
  }, [blocker]);
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isDirty]);
  return () => {
    isUnsaved.current = false;
  };
}
