import { MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { areaList, areaResource } from '../../api/areas.js';
import { titleOf, type Definition, type Prompt } from '../../api/prompt-records.js';
import { failureText } from '../../ui/failure-text.js';

const TYPING_PAUSE_MS = 250;
const SHOWN = 50;

export interface PromptPickerProps {
  kind: 'input' | 'output';
  label: string;
  description: string;
  max: number;
  /** Ids of the chosen definitions of this kind, which may belong to any prompts. */
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
}

/** A choice of prompts' inputs or outputs, by the prompts' titles. */
export function PromptPicker({ kind, label, description, max, value, onChange, error }: PromptPickerProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const found = useQuery({
    ...areaList<Prompt>('prompt', '/v1/prompt', {
      search,
      sort_by: 'title',
      sort_direction: 'asc',
      page: 1,
      limit: SHOWN,
    }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const chosen = useQueries({
    queries: value.map((id) => ({ ...areaResource<Definition>('prompt', `/v1/${kind}/${id}`), staleTime: 60_000 })),
  });
  const titles = new Map([
    ...chosen.flatMap(({ data }) => (data && data.name !== '' ? [[data.id, data.name] as const] : [])),
    ...(found.data?.items ?? []).map((prompt) => [prompt[kind].id, titleOf(prompt)] as const),
  ]);
  const ids = [...new Set([...value, ...(found.data?.items.map((prompt) => prompt[kind].id) ?? [])])];
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'None' : ''}
      data={ids.map((id) => ({ value: id, label: titles.get(id) ?? id }))}
      value={value}
      onChange={onChange}
      searchable
      searchValue={text}
      onSearchChange={setText}
      hidePickedOptions
      maxValues={max}
      // Options are filtered by the prompt API, so all of them are shown.
      filter={({ options }) => options}
      nothingFoundMessage={search === '' ? 'No other prompts yet' : 'No prompt has that title.'}
      error={found.error ? failureText(found.error) : error}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
