import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router';
import classes from './record.module.css';

/** Makes Ctrl+S submit the form that contains the button. */
function useSaveKey(button: RefObject<HTMLButtonElement | null>): void {
  useHotkeys(
    [
      [
        'mod+S',
        () => {
          const { current } = button;
          if (current && !current.disabled) current.form?.requestSubmit();
        },
      ],
    ],
    [],
    true,
  );
}

export interface CreateActionsProps {
  /** Label of the button: "Create skill". */
  children: string;
  isSaving: boolean;
  /** Address of the list to which "Cancel" leads. */
  cancelTo: string;
}

/** Buttons of the form for a new record. */
export function CreateActions({ children, isSaving, cancelTo }: CreateActionsProps) {
  const button = useRef<HTMLButtonElement>(null);
  useSaveKey(button);
  return (
    <div className={classes.bar}>
      <Button ref={button} type="submit" loading={isSaving}>
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
  const button = useRef<HTMLButtonElement>(null);
  useSaveKey(button);
  return (
    <div className={classes.bar} data-unsaved={isDirty} role="group" aria-label="Changes">
      {isDirty && <span className={classes.unsaved}>Unsaved changes</span>}
      {isDirty && children !== undefined && <div className={classes.note}>{children}</div>}
      {isDirty && (
        <Button variant="default" onClick={onDiscard} disabled={isSaving}>
          Discard
        </Button>
      )}
      <Button ref={button} type="submit" loading={isSaving} disabled={!isDirty} aria-keyshortcuts="Control+S Meta+S">
        Save
      </Button>
    </div>
  );
}
