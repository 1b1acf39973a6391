import { lazy, Suspense, useCallback, useState, type ReactNode } from 'react';
import { LinkOpener } from '../../ui/link-opener.js';
import { passageIn } from '../content/passage-link.js';

const PassageDrawer = lazy(async () => ({
  default: (await import('../content/passage-drawer.js')).PassageDrawer,
}));

/** Makes links to passages in its children open a drawer beside the text. */
export function Citations({ children }: { children: ReactNode }) {
  const [id, setId] = useState<string>();
  const open = useCallback((href: string) => {
    const cited = passageIn(href, window.location.origin);
    if (cited !== undefined) setId(cited);
    return cited !== undefined;
  }, []);
  return (
    <LinkOpener value={open}>
      {children}
      {id !== undefined && (
        <Suspense>
          <PassageDrawer id={id} close={() => setId(undefined)} />
        </Suspense>
      )}
    </LinkOpener>
  );
}
