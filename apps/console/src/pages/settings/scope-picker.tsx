import { Alert, Checkbox, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { resource } from '../../api/api.js';
import type { Items, Scope } from '../../api/admin-records.js';
import { Failure } from '../../ui/failure.js';
import { TextShape } from '../../ui/loading.js';
import { FULL_ACCESS, presetOf, PRESETS } from './scope-presets.js';

export interface ScopePickerProps {
  value: string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
  /** Whether the credential is an API key, which can have scopes that a client cannot. */
  isKey?: boolean;
}

/** A choice of scopes: the scopes of a preset, some of the owner's scopes, or full access. */
export function ScopePicker({ value, onChange, error, isKey = false }: ScopePickerProps) {
  const scopes = useQuery(resource<Items<Scope>>('/scopes'));
  // Scopes that only API keys can have are left out, because no preset contains them.
  const all = scopes.data?.items.filter(({ keys_only }) => !keys_only).map(({ scope }) => scope) ?? [];
  const [isListOpen, setListOpen] = useState(false);
  const found = presetOf(value, all);
  const choice = isListOpen && found !== 'all' ? 'some' : value.length === 0 ? '' : found;
  const isAll = choice === 'all';
  const choose = (next: string) => {
    setListOpen(next === 'some');
    if (next === 'all') onChange([FULL_ACCESS]);
    else if (next !== 'some') onChange(PRESETS.find((preset) => preset.value === next)?.scopesOf(all) ?? []);
    else if (isAll) onChange([]);
  };
  return (
    <Stack gap="xs">
      <Radio.Group label="Permissions" value={choice} onChange={choose} error={choice === 'some' ? undefined : error}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} mt={6}>
          {PRESETS.map(({ value: preset, label, text }) => (
            <Radio key={preset} value={preset} label={label} description={text} disabled={!scopes.data} />
          ))}
          <Radio value="some" label="Selected scopes" description="Choose each permission." />
          <Radio value="all" label="Full access" description="Everything that you can do, except managing keys." />
        </SimpleGrid>
      </Radio.Group>
      {isAll && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} py="xs">
          It can do everything that you can. Prefer selected scopes.
        </Alert>
      )}
      {scopes.error && <Failure error={scopes.error} retry={() => void scopes.refetch()} />}
      {choice === 'some' && scopes.isPending && <TextShape lines={6} />}
      {choice === 'some' && scopes.data && (
        <Checkbox.Group aria-label="Scopes" value={value} onChange={onChange} error={error}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} pl={26}>
            {scopes.data.items
              .filter(({ scope, keys_only }) => scope !== '*' && (isKey || !keys_only))
              .map(({ scope, description }) => (
                <Checkbox
                  key={scope}
                  value={scope}
                  size="xs"
                  label={
                    <Text size="sm" ff="monospace">
                      {scope}
                    </Text>
                  }
                  description={description}
                />
              ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
