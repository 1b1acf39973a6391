import { Loader, MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { areaResource } from '../api/areas.js';
import type { List } from '../api/admin-records.js';
import { failureText } from './failure-text.js';

interface Named {
  id: string;
  name: string;
  status: string;
}

export interface RecordPickerProps {
  label: string;
  description?: string;
  /** Path of the platform API's list. */
  path: string;
  /** Query parameters that filter the list. */
  query?: Readonly<Record<string, string>>;
  /** Text when there is no record to choose. */
  none: string;
  value: string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
}

const TYPING_PAUSE_MS = 250;
const SHOWN = 50;

/** A choice of records by name. `onChange` gets the ids in the order in which the user chose them. */
export function RecordPicker({ label, description, path, query, none, value, onChange, error }: RecordPickerProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const found = useQuery({
    ...areaResource<List<Named>>('platform', path, { search, sort: 'name', order: 'asc', per_page: SHOWN, ...query }),
    placeholderData: keepPreviousData,
  });
  const listed = found.data?.items ?? [];
  const chosen = useQueries({
    queries: value.map((id) => ({ ...areaResource<Named>('platform', `${path}/${id}`), staleTime: 60_000 })),
  });
  const names = new Map([...chosen.flatMap(({ data }) => data ?? []), ...listed].map((record) => [record.id, record]));
  const options = [...new Set([...value, ...listed.map(({ id }) => id)])].map((id) => {
    const record = names.get(id);
    const isOff = record !== undefined && record.status !== 'active';
    return { value: id, label: `${record?.name ?? id}${isOff ? ` (${record.status})` : ''}` };
  });
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'Choose' : ''}
      data={options}
      value={value}
      onChange={onChange}
      searchable
      searchValue={text}
      onSearchChange={setText}
      hidePickedOptions
      maxValues={100}
      // Options are filtered by the platform API, so all of them are shown.
      filter={({ options: all }) => all}
      nothingFoundMessage={search === '' ? none : 'Nothing has that name.'}
      error={found.error ? failureText(found.error) : error}
      rightSection={found.isFetching ? <Loader size={14} /> : undefined}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
