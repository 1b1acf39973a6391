import { Button, Text, TextInput } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useId, useState, type ReactNode } from 'react';
import { FilterSelect } from '../../ui/filters.js';
import { SearchField } from '../../ui/search-field.js';
import { periodOf, PERIODS } from './audit-period.js';
import classes from './audit-filters.module.css';

export const FILTERS = [
  'user',
  'period',
  'from',
  'to',
  'action',
  'resource',
  'run',
  'decision',
  'actor_kind',
  'actor',
  'request_id',
] as const;
type Values = Record<(typeof FILTERS)[number], string>;

export interface AuditFiltersProps {
  values: Values;
  set: (changes: Partial<Values>, options?: { isTyping: boolean }) => void;
}

/** Filters that a phone shows on demand. */
const MORE = ['action', 'resource', 'run', 'decision', 'actor_kind', 'actor', 'request_id'] as const;

export function AuditFilters({ values, set }: AuditFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const more = MORE.filter((name) => values[name] !== '').length;
  const period = periodOf(values);
  const text = (
    name: 'user' | 'action' | 'resource' | 'run' | 'actor' | 'request_id',
    label: string,
    placeholder: string,
  ) => (
    <Field label={label}>
      <SearchField
        label={label}
        placeholder={placeholder}
        value={values[name]}
        onSearch={(value) => set({ [name]: value }, { isTyping: true })}
      />
    </Field>
  );
  const time = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="datetime-local"
      label={label}
      classNames={{ label: classes.label ?? '' }}
      value={values[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value }, { isTyping: true })}
    />
  );
  return (
    <div className={classes.filters} role="search" aria-label="Filter events">
      {text('user', 'User', 'Email or ID')}
      <Field label="Period">
        <FilterSelect
          label="Period"
          all="Any time"
          value={period}
          options={PERIODS}
          onChange={(next) => set({ period: next, from: '', to: '' })}
        />
      </Field>
      {period === 'custom' && (
        <div className={classes.range}>
          {time('from', 'From')}
          {time('to', 'To')}
        </div>
      )}
      <Button
        className={classes.toggle}
        variant="default"
        leftSection={<IconFilter size={16} stroke={1.7} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Filters{more > 0 && ` (${more})`}
      </Button>
      <div id={id} className={classes.more} data-open={isOpen}>
        {text('action', 'Action', 'skill.create')}
        {text('resource', 'Resource', 'ID or path')}
        {text('run', 'Run', 'run_…')}
        <Field label="Result">
          <FilterSelect
            label="Result"
            all="All"
            value={values.decision}
            options={{ allow: 'Allowed', deny: 'Denied' }}
            onChange={(decision) => set({ decision })}
          />
        </Field>
        <Field label="Actor type">
          <FilterSelect
            label="Actor type"
            all="All"
            value={values.actor_kind}
            options={{ user: 'Users', job: 'Jobs', mcp: 'MCP servers' }}
            onChange={(actor_kind) => set({ actor_kind })}
          />
        </Field>
        {text('actor', 'Actor', 'Name')}
        {text('request_id', 'Request ID', 'ID')}
      </div>
      {Object.values(values).some((value) => value !== '') && (
        <Button
          className={classes.clear}
          variant="subtle"
          color="gray"
          onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, ''])))}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** A visible label. The filter itself has an accessible name. */
function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text className={classes.label} aria-hidden>
        {label}
      </Text>
      {children}
    </div>
  );
}
