import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import type { EmptyStateProps } from './empty-state.js';
import classes from './filters.module.css';

export interface FilterSelectProps {
  label: string;
  /** Label of the option that removes the filter. Default: the label of the filter, and "all". */
  all?: string;
  value: string;
  options: Readonly<Record<string, string>>;
  onChange: (value: string) => void;
}

export function FilterSelect({ label, all, value, options, onChange }: FilterSelectProps) {
  const choices = Object.entries(options).map(([key, text]) => ({ value: key, label: text }));
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={[{ value: '', label: all ?? `${label}: all` }, ...choices]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Content of a list when no row matches the filters. */
export const noResults = (onClear: () => void, title = 'No results'): EmptyStateProps => ({
  title,
  action: (
    <Button variant="default" onClick={onClear}>
      Clear filters
    </Button>
  ),
});

interface FiltersProps {
  label: string;
  /** Whether the filters are inside a section without padding. */
  isInset?: boolean;
  children: ReactNode;
}

/** The row above a list: the search field first, then the filters. */
export function Filters({ label, isInset, children }: FiltersProps) {
  return (
    <div className={classes.filters} role="search" aria-label={label} data-inset={isInset}>
      {children}
    </div>
  );
}
