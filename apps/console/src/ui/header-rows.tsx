import { ActionIcon, Button, Group, PasswordInput, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { KEPT } from '../api/platform-records.js';
import type { HeaderRow } from './headers.js';

/** Headers whose values are kept sealed: they can be replaced, and never read. */
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
          <Group key={index} gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              flex={1}
              placeholder="Authorization"
              aria-label={`Name of header ${index + 1}`}
              value={row.name}
              maxLength={100}
              autoComplete="off"
              readOnly={isKept}
              onChange={(event) => change(index, { name: event.currentTarget.value })}
            />
            <PasswordInput
              flex={2}
              placeholder={isKept ? 'kept as it is' : 'Bearer …'}
              aria-label={`Value of header ${index + 1}`}
              value={isKept ? '' : row.value}
              maxLength={4_096}
              autoComplete="off"
              onChange={(event) => change(index, { value: event.currentTarget.value || (isKept ? KEPT : '') })}
            />
            <Tooltip label="Remove">
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={`Remove header ${row.name || index + 1}`}
                onClick={() => onChange(rows.filter((_row, at) => at !== index))}
              >
                <IconTrash size={16} stroke={1.7} />
              </ActionIcon>
            </Tooltip>
          </Group>
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
