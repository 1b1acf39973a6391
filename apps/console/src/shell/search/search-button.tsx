import { Button, Kbd } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import classes from './search.module.css';

const SearchDialog = lazy(() => import('./search-dialog.js'));

/** Opens the global search, also by Ctrl-K on any page. The dialog's code is loaded on first use. */
export function SearchButton({ roles }: { roles: readonly string[] }) {
  const [state, setState] = useState<'never opened' | 'open' | 'closed'>('never opened');
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
        <Suspense>
          <SearchDialog roles={roles} opened={state === 'open'} close={() => setState('closed')} />
        </Suspense>
      )}
    </>
  );
}
