import { Checkbox, Radio, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { resource } from '../../api/api.js';
import type { Items, Scope } from '../../api/records.js';
import { Failure } from '../../ui/failure.js';

export interface ScopePickerProps {
  value: string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

/** All that its owner may do, or a choice of it. */
export function ScopePicker({ value, onChange, error }: ScopePickerProps) {
  const scopes = useQuery(resource<Items<Scope>>('/scopes'));
  const isAll = value.includes('*');
  return (
    <Stack gap="xs">
      <Radio.Group
        label="It may do"
        value={isAll ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['*'] : [])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All that you may do" />
          <Radio value="some" label="Only this:" />
        </Stack>
      </Radio.Group>
      {!isAll && scopes.error && <Failure error={scopes.error} retry={() => void scopes.refetch()} />}
      {!isAll && scopes.isPending && <Skeleton height={120} />}
      {!isAll && scopes.data && (
        <Checkbox.Group aria-label="What it may do" value={value} onChange={onChange} error={error}>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} pl={26}>
            {scopes.data.items
              .filter(({ scope }) => scope !== '*')
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
