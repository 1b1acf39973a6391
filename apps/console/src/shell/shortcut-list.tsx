import { Group, Kbd, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { openDialog } from '../ui/dialogs.js';
import { navigationFor } from './navigation.js';
import { PAGE_KEYS } from './shortcut-keys.js';

/** Shows the keyboard shortcuts, including the shortcuts of the pages that the user may open. */
export function showShortcuts(roles: readonly string[]): void {
  const labels = new Map(navigationFor(roles).flatMap(({ entries }) => entries.map(({ to, label }) => [to, label])));
  const pages = Object.entries(PAGE_KEYS).filter(([, to]) => labels.has(to));
  openDialog({
    title: 'Keyboard shortcuts',
    children: (
      <Stack gap={6}>
        <Keys label="Search" keys={<Kbd>/</Kbd>} />
        <Keys
          label="Search, also while typing"
          keys={
            <>
              <Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
            </>
          }
        />
        <Keys
          label="Save a form"
          keys={
            <>
              <Kbd>Ctrl</Kbd> <Kbd>S</Kbd>
            </>
          }
        />
        {pages.map(([key, to]) => (
          <Keys
            key={key}
            label={labels.get(to)}
            keys={
              <>
                <Kbd>g</Kbd> <Kbd>{key}</Kbd>
              </>
            }
          />
        ))}
      </Stack>
    ),
  });
}

function Keys({ label, keys }: { label: ReactNode; keys: ReactNode }) {
  return (
    <Group justify="space-between">
      <Text size="sm">{label}</Text>
      <span>{keys}</span>
    </Group>
  );
}
