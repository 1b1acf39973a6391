import { ActionIcon, Button, NativeSelect, TagsInput, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ParameterType } from '../../api/platform-records.js';
import { Section } from '../../ui/section.js';
import classes from './parameter-form.module.css';
import { faultOf, newRow, type ParameterRow } from './parameter-rows.js';

const TYPES: readonly { value: ParameterType; label: string }[] = [
  { value: 'string', label: 'String' },
  { value: 'integer', label: 'Integer' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Boolean' },
];

export interface ParameterFormProps {
  rows: ParameterRow[];
  onChange: (rows: ParameterRow[]) => void;
  /** Whether to show faults: true after the first attempt to save. */
  showFaults: boolean;
}

/** Inputs for a skill's parameters. */
export function ParameterForm({ rows, onChange, showFaults }: ParameterFormProps) {
  // Key of the row that was added last. The name field of this row gets the focus.
  const [added, setAdded] = useState<string>();
  const change = (row: ParameterRow, fields: Partial<ParameterRow>) =>
    onChange(rows.map((other) => (other === row ? { ...row, ...fields } : other)));
  const add = (row: ParameterRow) => {
    setAdded(row.key);
    onChange([...rows, row]);
  };
  return (
    <Section title="Parameters" text="Inputs the skill accepts, with allowed values and defaults.">
      {rows.map((row, index) => (
        <div key={row.key} className={classes.row} role="group" aria-label={`Parameter ${index + 1}`}>
          <TextInput
            label="Name"
            className={classes.name}
            autoFocus={row.key === added}
            value={row.name}
            maxLength={64}
            autoComplete="off"
            onChange={(event) => change(row, { name: event.currentTarget.value })}
          />
          <NativeSelect
            label="Type"
            className={classes.type}
            value={row.type}
            data={[...TYPES]}
            onChange={(event) =>
              change(row, { type: event.currentTarget.value as ParameterType, choices: [], preset: '' })
            }
          />
          <TagsInput
            label="Allowed values"
            className={classes.choices}
            placeholder={row.choices.length === 0 ? 'Any (press Enter to add)' : ''}
            value={row.choices}
            maxTags={100}
            disabled={row.type === 'boolean'}
            onChange={(choices) => change(row, { choices })}
          />
          <Preset row={row} onChange={(preset) => change(row, { preset })} />
          <Tooltip label="Remove">
            <ActionIcon
              className={classes.remove}
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove parameter ${row.name || index + 1}`}
              onClick={() => onChange(rows.filter((other) => other !== row))}
            >
              <IconTrash size={16} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
          {showFaults && faultOf(row, rows) !== null && (
            <Text size="xs" c="var(--mantine-color-error)" className={classes.fault} role="alert">
              {faultOf(row, rows)}
            </Text>
          )}
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        mt={rows.length === 0 ? 0 : 'xs'}
        leftSection={<IconPlus size={15} />}
        onClick={() => add(newRow())}
        disabled={rows.length >= 50}
      >
        Add parameter
      </Button>
    </Section>
  );
}

function Preset({ row, onChange }: { row: ParameterRow; onChange: (preset: string) => void }) {
  const choices = row.type === 'boolean' ? ['true', 'false'] : row.choices;
  if (choices.length === 0) {
    return (
      <TextInput
        label="Default"
        placeholder="None"
        className={classes.preset}
        value={row.preset}
        inputMode={row.type === 'string' ? 'text' : 'decimal'}
        autoComplete="off"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <NativeSelect
      label="Default"
      className={classes.preset}
      value={row.preset}
      data={[{ value: '', label: 'None' }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
