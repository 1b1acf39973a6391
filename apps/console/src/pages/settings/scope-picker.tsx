import { Alert, Checkbox, Radio, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { resource } from '../../api/api.js';
import type { Items, Scope } from '../../api/admin-records.js';
import { Failure } from '../../ui/failure.js';

export interface ScopePickerProps {
  value: string[];
  onChange: (scopes: string[]) => void;
  error?: ReactNode;
}

/** A choice of scopes: some of the owner's, or full access. */
export function ScopePicker({ value, onChange, error }: ScopePickerProps) {
  const scopes = useQuery(resource<Items<Scope>>('/scopes'));
  const isAll = value.includes('*');
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Permissions"
        value={isAll ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? ['*'] : [])}
      >
        <Stack gap={6} mt={6}>
          <Radio value="some" label="Selected scopes" />
          <Radio value="all" label="Full access" />
        </Stack>
      </Radio.Group>
      {isAll && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} py="xs">
          It can do everything that you can. Prefer selected scopes.
        </Alert>
      )}
      {!isAll && scopes.error && <Failure error={scopes.error} retry={() => void scopes.refetch()} />}
      {!isAll && scopes.isPending && <Skeleton height={120} />}
      {!isAll && scopes.data && (
        <Checkbox.Group
          aria-label="Scopes"
          description="Choose the scopes it needs."
          value={value}
          onChange={onChange}
          error={error}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing={8} pl={26} mt={8}>
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
