import type { ReactNode } from 'react';
import classes from './filters.module.css';

/** Above a list: what is searched for first, then what it is narrowed by. */
export function Filters({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.filters} role="search" aria-label={label}>
      {children}
    </div>
  );
}
