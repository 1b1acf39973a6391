import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { confirm } from './confirm.js';
import { countText } from './figures.js';
import { bulkText, inBulk } from './in-bulk.js';
import classes from './bulk-bar.module.css';
import { useAction } from './use-action.js';

export interface BulkAction<Row> {
  /** A verb: "Disable". */
  label: string;
  /** The participle: "disabled". */
  done: string;
  work: (row: Row) => Promise<unknown>;
  /** Rows that it changes; default: all. */
  isFor?: (row: Row) => boolean;
  /** For an action that cannot be undone: the consequence. The user types the verb. */
  consequence?: string;
}

export interface BulkBarProps<Row> {
  noun: string;
  rows: readonly Row[];
  actions: readonly BulkAction<Row>[];
  refresh: readonly (readonly string[])[];
  /** Called with the rows that stay selected. */
  onSelect: (rows: readonly Row[]) => void;
}

/** What can be done with the selected rows of a list. */
export function BulkBar<Row>({ noun, rows, actions, refresh, onSelect }: BulkBarProps<Row>) {
  const [running, setRunning] = useState<string>();
  const act = useAction(
    async ({ label, done, work, isFor = () => true }: BulkAction<Row>) => {
      setRunning(label);
      const result = await inBulk(rows.filter(isFor), work).finally(() => setRunning(undefined));
      onSelect(result.failed.map(({ row }) => row));
      return bulkText(result, noun, done);
    },
    { refresh, done: (text) => text },
  );
  const start = (action: BulkAction<Row>) => {
    if (action.consequence === undefined) {
      act.mutate(action);
      return;
    }
    confirm({
      title: `${action.label} ${countText(rows.length, noun)}?`,
      text: `${action.consequence} This can't be undone.`,
      action: action.label,
      typed: action.label.toLowerCase(),
      work: () => act.mutateAsync(action),
    });
  };
  return (
    <Group className={classes.bar} role="group" aria-label="Selected" gap="xs">
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
  );
}
