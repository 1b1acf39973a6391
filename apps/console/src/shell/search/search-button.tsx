import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../use-shortcuts.js';
import classes from './search.module.css';

const load = () => import('./search-dialog.js');
const SearchDialog = lazy(load);

/** Milliseconds before the dialog's code is loaded, so that the page itself loads first. */
const LOAD_AFTER_MS = 1_500;

/** Opens the global search, also by Ctrl-K or "/" on any page. */
export function SearchButton({ roles }: { roles: readonly string[] }) {
  const [state, setState] = useState<'never opened' | 'open' | 'closed'>('never opened');
  const early = useRef('');
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(() => undefined), LOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useShortcuts({ roles, search: () => setState('open') });
  useHotkeys([['mod+K', () => setState((now) => (now === 'open' ? 'closed' : 'open'))]], [], true);
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        className={classes.button}
        onClick={() => setState('open')}
        aria-label="Search Ctrl K"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        leftSection={<IconSearch size={15} stroke={1.7} />}
      >
        <span className={classes.hint}>
          Search <Kbd size="xs">Ctrl K</Kbd>
        </span>
      </Button>
      {state !== 'never opened' && (
        <Suspense fallback={<EarlyKeys keep={(key) => (early.current += key)} />}>
          <SearchDialog
            roles={roles}
            early={early.current}
            opened={state === 'open'}
            close={() => {
              early.current = '';
              setState('closed');
            }}
          />
        </Suspense>
      )}
    </>
  );
}

/** Collects typed keys while the dialog loads. */
function EarlyKeys({ keep }: { keep: (key: string) => void }) {
  useEffect(() => {
    const take = (event: KeyboardEvent) => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keep(event.key);
    };
    window.addEventListener('keydown', take);
    return () => window.removeEventListener('keydown', take);
  }, [keep]);
  return null;
}
