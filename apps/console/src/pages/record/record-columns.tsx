import type { ReactNode } from 'react';
import classes from './record.module.css';

/** A record's forms, and what is known of it beside them. */
export function RecordColumns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      {aside}
    </div>
  );
}

/** As wide as a form is. */
export function FormColumn({ children }: { children: ReactNode }) {
  return <div className={classes.form}>{children}</div>;
}
