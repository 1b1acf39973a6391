import { MultiSelect, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PlatformAnswers } from '../api/answers/platform.js';
import { areaResource } from '../api/areas.js';
import { failureText } from './failure-text.js';

/** Returns the names of the models that can be called, and of the chosen models. */
function useModelNames(chosen: readonly string[]) {
  const models = useQuery({
    ...areaResource<PlatformAnswers['listModels']>('platform', '/api/v1/models'),
    staleTime: 30_000,
  });
  const items = models.data?.items ?? [];
  const active = items.filter(({ status }) => status === 'active');
  const known = new Map(items.map(({ name, status }) => [name, status]));
  const names = [...new Set([...active.map(({ name }) => name), ...chosen.filter((name) => name !== '')])];
  return {
    error: models.error,
    main: items.find(({ is_default }) => is_default)?.name,
    data: names.map((name) => ({
      value: name,
      label:
        !models.data || known.get(name) === 'active' ? name : `${name} (${known.has(name) ? 'inactive' : 'unknown'})`,
    })),
  };
}

export interface ModelSelectProps {
  /** Name of the model; empty for the default model. */
  value: string;
  onChange: (name: string) => void;
  error?: ReactNode;
}

/** Select of one model, with search. */
export function ModelSelect({ value, onChange, error: fault }: ModelSelectProps) {
  const { data, main, error } = useModelNames([value]);
  return (
    <Select
      label="Model"
      description="Leave empty to use the default model."
      placeholder={main === undefined ? 'Default' : `Default (${main})`}
      data={data}
      searchable
      clearable
      value={value || null}
      onChange={(name) => onChange(name ?? '')}
      nothingFoundMessage="No model has that name."
      error={error ? failureText(error) : fault}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

export interface ModelsSelectProps {
  label: string;
  description: string;
  /** Name of a model that cannot be chosen. */
  without: string;
  value: string[];
  onChange: (names: string[]) => void;
  error?: ReactNode;
}

/** Select of several models, in the order of choice. */
export function ModelsSelect({ label, description, without, value, onChange, error: fault }: ModelsSelectProps) {
  const { data, error } = useModelNames(value);
  return (
    <MultiSelect
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'None' : ''}
      data={data.filter((option) => option.value !== without)}
      searchable
      maxValues={10}
      value={value}
      onChange={onChange}
      nothingFoundMessage="No model has that name."
      error={error ? failureText(error) : fault}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}
