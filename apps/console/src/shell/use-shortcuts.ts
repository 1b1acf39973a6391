import { useHotkeys } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { navigationFor } from './navigation.js';
import { pageOfKey } from './shortcut-keys.js';

/** Milliseconds within which the second key of a sequence such as "g a" must follow. */
const SEQUENCE_MS = 1_500;

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

/** Keys of every page: "/" opens the search, "?" lists the keys, "g" and a letter open a page. */
export function useShortcuts({ roles, search }: { roles: readonly string[]; search: () => void }): void {
  const navigate = useNavigate();
  const pressedAt = useRef(-Infinity);
  useHotkeys([
    ['/', search],
    ['shift+?', () => void import('./shortcut-list.js').then(({ showShortcuts }) => showShortcuts(roles))],
  ]);
  useEffect(() => {
    const allowed = new Set(navigationFor(roles).flatMap(({ entries }) => entries.map(({ to }) => to)));
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      const isSecond = event.timeStamp - pressedAt.current < SEQUENCE_MS;
      pressedAt.current = event.key === 'g' ? event.timeStamp : -Infinity;
      const to = isSecond ? pageOfKey(event.key) : undefined;
      if (to === undefined || !allowed.has(to)) return;
      event.preventDefault();
      void navigate(to);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate, roles]);
}
