import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import classes from './record.module.css';

export interface CreateActionsProps {
  /** The button's label: "Create skill". */
  children: string;
  isSaving: boolean;
  /** Address of the list. */
  cancelTo: string;
}

/** Buttons of the form for a new record. */
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
  /** Input that is saved with the form, such as a reason. */
  children?: ReactNode;
}

/** Buttons of a record's form. They stay in view while there are unsaved changes. */
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
