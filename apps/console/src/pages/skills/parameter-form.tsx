import { ActionIcon, Button, NativeSelect, TagsInput, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { ParameterType } from '../../api/platform-records.js';
import { Section } from '../../ui/section.js';
import classes from './parameter-form.module.css';
import { faultOf, newRow, type ParameterRow } from './parameter-rows.js';

const TYPES: readonly { value: ParameterType; label: string }[] = [
  { value: 'string', label: 'Text' },
  { value: 'integer', label: 'Integer' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Yes or no' },
];

export interface ParameterFormProps {
  rows: ParameterRow[];
  onChange: (rows: ParameterRow[]) => void;
  /** Once someone tried to save. */
  showFaults: boolean;
}

/** What of a skill can be set where it is used. */
export function ParameterForm({ rows, onChange, showFaults }: ParameterFormProps) {
  const change = (row: ParameterRow, fields: Partial<ParameterRow>) =>
    onChange(rows.map((other) => (other === row ? { ...row, ...fields } : other)));
  return (
    <Section
      title="Parameters"
      text="Values that shape it: which there are, what they may be, and what they are when nobody says."
      actions={
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          onClick={() => onChange([...rows, newRow()])}
          disabled={rows.length >= 50}
        >
          Add parameter
        </Button>
      }
    >
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          None: the instructions alone say everything.
        </Text>
      )}
      {rows.map((row, index) => (
        <div key={row.key} className={classes.row} role="group" aria-label={`Parameter ${index + 1}`}>
          <TextInput
            label="Name"
            value={row.name}
            maxLength={64}
            autoComplete="off"
            onChange={(event) => change(row, { name: event.currentTarget.value })}
          />
          <NativeSelect
            label="Type"
            value={row.type}
            data={[...TYPES]}
            onChange={(event) =>
              change(row, { type: event.currentTarget.value as ParameterType, choices: [], preset: '' })
            }
          />
          <TagsInput
            label="Allowed values"
            placeholder={row.choices.length === 0 ? 'any; Enter adds one' : ''}
            value={row.choices}
            maxTags={100}
            disabled={row.type === 'boolean'}
            onChange={(choices) => change(row, { choices })}
          />
          <Preset row={row} onChange={(preset) => change(row, { preset })} />
          <Tooltip label="Remove">
            <ActionIcon
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
    </Section>
  );
}

function Preset({ row, onChange }: { row: ParameterRow; onChange: (preset: string) => void }) {
  const choices = row.type === 'boolean' ? ['true', 'false'] : row.choices;
  if (choices.length === 0) {
    return (
      <TextInput
        label="Default"
        placeholder="none"
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
      value={row.preset}
      data={[{ value: '', label: 'none' }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
