import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { askName } from './ask-name.js';
import { confirm } from './confirm.js';
import { countText } from './figures.js';
import { bulkText, inBulk, type BulkResult } from './in-bulk.js';
import classes from './bulk-bar.module.css';
import { useAction } from './use-action.js';

export interface BulkAction<Row> {
  /** Label of the button, a verb: "Disable". */
  label: string;
  /** The verb's participle, for messages: "disabled". */
  done: string;
  /** Changes one row. `entered` is the text that the user entered for `asks`. */
  work: (row: Row, entered: string) => Promise<unknown>;
  /** Label of a text that the user must enter before the action. */
  asks?: string;
  /** Whether the action applies to a row; default: to every row. */
  isFor?: (row: Row) => boolean;
  /** Consequence of an action that cannot be undone. The user must then type the verb. */
  consequence?: string;
}

export interface BulkBarProps<Row> {
  noun: string;
  rows: readonly Row[];
  nameOf: (row: Row) => string;
  actions: readonly BulkAction<Row>[];
  refresh: readonly (readonly string[])[];
  /** Called after an action, with the rows that stay selected: those for which the action failed. */
  onSelect: (rows: readonly Row[]) => void;
}

/** Buttons for actions on the selected rows of a list. */
export function BulkBar<Row>({ noun, rows, nameOf, actions, refresh, onSelect }: BulkBarProps<Row>) {
  const [failed, setFailed] = useState<BulkResult<Row>['failed']>([]);
  const [running, setRunning] = useState<string>();
  const act = useAction(
    async ({ action, entered = '' }: { action: BulkAction<Row>; entered?: string }) => {
      const { label, done, work, isFor = () => true } = action;
      setRunning(label);
      setFailed([]);
      const result = await inBulk(rows.filter(isFor), (row) => work(row, entered)).finally(() => setRunning(undefined));
      setFailed(result.failed);
      // Rows for which the action failed stay selected.
      onSelect(result.failed.map(({ row }) => row));
      return bulkText(result, noun, done);
    },
    { refresh, done: (text) => text },
  );
  const start = (action: BulkAction<Row>) => {
    if (action.asks !== undefined) {
      askName({
        ...{ title: `${action.label}: ${countText(rows.length, noun)}`, label: action.asks, action: action.label },
        work: (entered) => act.mutateAsync({ action, entered }),
      });
      return;
    }
    if (action.consequence === undefined) {
      act.mutate({ action });
      return;
    }
    confirm({
      title: `${action.label} ${countText(rows.length, noun)}?`,
      text: (
        <>
          {action.consequence} This can&apos;t be undone.
          <ul className={classes.names}>
            {rows.filter(action.isFor ?? (() => true)).map((row, index) => (
              <li key={index}>
                <bdi>{nameOf(row)}</bdi>
              </li>
            ))}
          </ul>
        </>
      ),
      action: action.label,
      typed: action.label.toLowerCase(),
      work: () => act.mutateAsync({ action }),
    });
  };
  if (rows.length === 0 && failed.length === 0) return null;
  return (
    <div className={classes.bar}>
      {failed.length > 0 && (
        <Alert
          color="red"
          title={`${countText(failed.length, noun)} not changed`}
          role="alert"
          withCloseButton
          closeButtonLabel="Dismiss"
          onClose={() => setFailed([])}
        >
          <ul className={classes.names}>
            {failed.map(({ row, error }, index) => (
              <li key={index}>
                <bdi>{nameOf(row)}</bdi>: {error.message}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {rows.length > 0 && (
        <Group role="group" aria-label="Selected" gap="xs">
          <Text size="sm" fw={550} role="status">
            {rows.length.toLocaleString('en')} selected
          </Text>
          {actions.map((action) => {
            const count = rows.filter(action.isFor ?? (() => true)).length;
            return (
              <Button
                key={action.label}
                size="compact-sm"
                variant="default"
                {...(action.consequence !== undefined && { c: 'var(--mantine-color-error)' })}
                loading={running === action.label}
                disabled={count === 0 || running !== undefined}
                onClick={() => start(action)}
              >
                {action.label}
              </Button>
            );
          })}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onSelect([])}>
            Clear selection
          </Button>
        </Group>
      )}
    </div>
  );
}
