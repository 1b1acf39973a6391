import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './record.module.css';

export interface CreateActionsProps {
  /** On the button: "Create skill". */
  children: string;
  isSaving: boolean;
  /** The list that one came from. */
  cancelTo: string;
}

/** The end of the form of a new record. */
export function CreateActions({ children, isSaving, cancelTo }: CreateActionsProps) {
  return (
    <div className={classes.bar}>
      <Button type="submit" loading={isSaving}>
        {children}
      </Button>
      <Button component={Link} to={cancelTo} variant="default">
        Cancel
      </Button>
    </div>
  );
}

export interface SaveActionsProps {
  isDirty: boolean;
  isSaving: boolean;
  onDiscard: () => void;
  /** Saved with what was changed. */
  children?: ReactNode;
}

/** The end of the form of a record: in sight wherever one edits, as long as something is not saved. */
export function SaveActions({ isDirty, isSaving, onDiscard, children }: SaveActionsProps) {
  return (
    <div className={classes.bar} data-unsaved={isDirty} role="group" aria-label="Changes">
      {isDirty && <span className={classes.unsaved}>Unsaved changes</span>}
      {isDirty && children !== undefined && <div className={classes.note}>{children}</div>}
      {isDirty && (
        <Button variant="default" onClick={onDiscard} disabled={isSaving}>
          Discard
        </Button>
      )}
      <Button type="submit" loading={isSaving} disabled={!isDirty}>
        Save
      </Button>
    </div>
  );
}
