import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { areaResource } from '../../api/areas.js';
import type { BudgetSubject } from '../../api/platform-records.js';
import { failureText } from '../../ui/failure-text.js';
import { LEVELS } from './budget-text.js';

const TYPING_PAUSE_MS = 250;

export interface SubjectSelectProps {
  level: 'api_key' | 'client' | 'user' | 'agent' | 'trigger';
  value: string;
  error: string | undefined;
  onChange: (id: string) => void;
}

/** Select for the subject of a budget. The server finds subjects by the typed name. */
export function SubjectSelect({ level, value, error, onChange }: SubjectSelectProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const found = useQuery({
    ...areaResource<{ items: BudgetSubject[] }>('platform', '/api/v1/budgets/subjects', { level, search }),
    placeholderData: keepPreviousData,
  });
  const items = found.data?.items ?? [];
  const details = new Map(items.map(({ id, name, detail }) => [id, detail === name ? '' : detail]));
  return (
    <Select
      label={LEVELS[level]}
      placeholder="Choose"
      data={items.map(({ id, name }) => ({ value: id, label: name }))}
      // Options are filtered by the server, so all of them are shown.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span style={{ overflowWrap: 'anywhere' }}>
          <bdi>{option.label}</bdi>{' '}
          <bdi style={{ color: 'var(--mantine-color-dimmed)' }}>{details.get(option.value)}</bdi>
        </span>
      )}
      searchable
      onSearchChange={setText}
      allowDeselect={false}
      nothingFoundMessage="Nothing has that name."
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      error={error ?? (found.error ? failureText(found.error) : undefined)}
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
    />
  );
}
