import { Suspense, type ReactNode } from 'react';
import classes from './workbench.module.css';
import { SectionsShape } from '../../ui/loading.js';

export interface EditorColumnsProps {
  /** Form of the record. */
  children: ReactNode;
  /** The workbench, whose code may be loaded later. */
  workbench: ReactNode;
  /** Content below the workbench. */
  aside?: ReactNode;
  /** Content below the form; on narrow screens, below the workbench. */
  below?: ReactNode;
}

/** An editor in two columns: the form of the record, and a conversation with the draft. */
export function EditorColumns({ children, workbench, aside, below }: EditorColumnsProps) {
  return (
    <div className={classes.editor}>
      <div>{children}</div>
      <div className={classes.side}>
        <Suspense fallback={<SectionsShape sections={1} />}>{workbench}</Suspense>
        {aside}
      </div>
      {below && <div>{below}</div>}
    </div>
  );
}
