import type { ReactNode } from 'react';
import classes from './record.module.css';

/** Two columns: a record's forms, and its details beside them. */
export function RecordColumns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.columns}>
      <div>{children}</div>
      {aside}
    </div>
  );
}

/** A column with the width of a form. */
export function FormColumn({ children }: { children: ReactNode }) {
  return <div className={classes.form}>{children}</div>;
}
