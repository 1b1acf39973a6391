import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  Input,
  NativeSelect,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './schema-builder.module.css';
import { schemaIn, schemaText } from './prompt-fields.js';
import { SchemaInput, type SchemaInputProps } from './schema-input.js';
import { EMPTY_ROW, ROW_TYPES, rowFaults, rowsOf, withRows, type RowType, type SchemaRow } from './schema-rows.js';

const TYPES = Object.entries(ROW_TYPES).map(([value, label]) => ({ value, label }));

/** Editor for a JSON Schema: a list of fields or, for a schema that the list cannot express, JSON. */
export function SchemaBuilder(props: SchemaInputProps) {
  const { label, value, onChange, faults } = props;
  const schema = schemaIn(value);
  const saved = typeof schema === 'string' ? undefined : rowsOf(schema);
  const [isJson, setJson] = useState(saved === undefined);
  // The rows as the user edits them. They cannot be read from the schema, because it does not contain rows without a name.
  const [edited, setEdited] = useState<{ rows: SchemaRow[]; value: string }>();
  const rows = edited?.value === value ? edited.rows : saved;
  const toggle = (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        ml={-8}
        disabled={isJson && saved === undefined}
        onClick={() => setJson(!isJson)}
      >
        {isJson ? 'Edit as fields' : 'Edit as JSON'}
      </Button>
      {isJson && saved === undefined && (
        <Text span size="xs" c="dimmed">
          {' '}
          This schema has parts that fields cannot show.
        </Text>
      )}
    </div>
  );
  if (isJson || rows === undefined || typeof schema === 'string') {
    return (
      <Stack gap={4}>
        <SchemaInput {...props} />
        {toggle}
      </Stack>
    );
  }
  const set = (next: SchemaRow[]) => {
    const text = schemaText(withRows(schema, next));
    setEdited({ rows: next, value: text });
    onChange(text);
  };
  const found = rowFaults(rows);
  return (
    <Stack gap="xs" role="group" aria-label={label}>
      <div>
        <Input.Label component="div">{label}</Input.Label>
        {rows.length === 0 && (
          <Text size="xs" c="dimmed">
            No fields yet: anything is accepted.
          </Text>
        )}
      </div>
      {rows.map((row, index) => (
        <Row
          key={index}
          row={row}
          place={index + 1}
          fault={found[index]}
          onChange={(changes) => set(rows.map((one, at) => (at === index ? { ...one, ...changes } : one)))}
          onRemove={() => set(rows.filter((_one, at) => at !== index))}
        />
      ))}
      {faults.map((fault) => (
        <Text key={fault} size="xs" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      ))}
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} />}
          onClick={() => set([...rows, EMPTY_ROW])}
          disabled={rows.length >= 100}
        >
          Add field
        </Button>
        {toggle}
      </Group>
    </Stack>
  );
}

interface RowProps {
  row: SchemaRow;
  place: number;
  fault: string | undefined;
  onChange: (changes: Partial<SchemaRow>) => void;
  onRemove: () => void;
}

function Row({ row: { name, type, isRequired, description, choices }, place, fault, onChange, onRemove }: RowProps) {
  return (
    <div className={classes.row} role="group" aria-label={`Field ${place}`}>
      <TextInput
        aria-label="Name"
        placeholder="Name"
        value={name}
        maxLength={100}
        autoComplete="off"
        error={fault}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label="Type"
        value={type}
        data={TYPES}
        onChange={(event) => onChange({ type: event.currentTarget.value as RowType, choices: [], rest: {} })}
      />
      <TextInput
        aria-label="Description"
        placeholder="Description"
        className={classes.text}
        value={description}
        maxLength={1_000}
        autoComplete="off"
        onChange={(event) => onChange({ description: event.currentTarget.value })}
      />
      <Checkbox
        size="xs"
        label="Required"
        checked={isRequired}
        onChange={(event) => onChange({ isRequired: event.currentTarget.checked })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`Remove field ${name || place}`}
        onClick={onRemove}
      >
        <IconTrash size={16} stroke={1.7} />
      </ActionIcon>
      {type === 'choice' && (
        <TagsInput
          aria-label="Values"
          className={classes.values}
          placeholder={choices.length === 0 ? 'Type a value, press Enter' : ''}
          value={choices}
          maxTags={100}
          onChange={(next) => onChange({ choices: next })}
        />
      )}
    </div>
  );
}
