import { ActionIcon, Button, PasswordInput, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { KEPT } from '../api/platform-records.js';
import classes from './header-rows.module.css';
import type { HeaderRow } from './headers.js';

/** Headers with encrypted values, which can be replaced but not read. */
export function HeaderRows({
  text,
  rows,
  onChange,
}: {
  text: string;
  rows: HeaderRow[];
  onChange: (rows: HeaderRow[]) => void;
}) {
  const change = (at: number, fields: Partial<HeaderRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...fields } : row)));
  return (
    <Stack gap="xs" role="group" aria-label="Headers">
      <div>
        <Text size="sm" fw={600}>
          Headers
        </Text>
        <Text size="xs" c="dimmed">
          {text}
        </Text>
      </div>
      {rows.map((row, index) => {
        const isKept = row.value === KEPT;
        return (
          <div key={index} className={classes.row}>
            <TextInput
              label="Name"
              placeholder="Authorization"
              aria-label={`Name of header ${index + 1}`}
              value={row.name}
              maxLength={100}
              autoComplete="off"
              readOnly={isKept}
              onChange={(event) => change(index, { name: event.currentTarget.value })}
            />
            <PasswordInput
              label="Value"
              placeholder={isKept ? '•••••••• (unchanged)' : 'Bearer …'}
              aria-label={`Value of header ${index + 1}`}
              value={isKept ? '' : row.value}
              maxLength={4_096}
              autoComplete="off"
              // A stored value cannot be shown, so there is no visibility toggle.
              rightSection={isKept ? false : undefined}
              onChange={(event) => change(index, { value: event.currentTarget.value || (isKept ? KEPT : '') })}
            />
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={`Remove header ${row.name || index + 1}`}
                onClick={() => onChange(rows.filter((_row, at) => at !== index))}
              >
                <IconTrash size={16} stroke={1.7} />
              </ActionIcon>
            </Tooltip>
          </div>
        );
      })}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={15} />}
          onClick={() => onChange([...rows, { name: '', value: '' }])}
          disabled={rows.length >= 20}
        >
          Add header
        </Button>
      </div>
    </Stack>
  );
}
