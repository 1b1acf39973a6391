import { Autocomplete, Button, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { resource } from '../../api/api.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
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
  'jobs',
] as const;
type Values = Record<(typeof FILTERS)[number], string>;

export interface AuditFiltersProps {
  values: Values;
  set: (changes: Partial<Values>, options?: { isTyping: boolean }) => void;
}

/** Filters that are hidden on a phone until the user opens them. */
const MORE = ['action', 'resource', 'run', 'decision', 'actor_kind', 'actor', 'request_id', 'jobs'] as const;

export function AuditFilters({ values, set }: AuditFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const more = MORE.filter((name) => values[name] !== '').length;
  const period = periodOf(values);
  const text = (name: 'user' | 'resource' | 'run' | 'actor' | 'request_id', label: string, placeholder: string) => (
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
        <Field label="Action">
          <ActionField value={values.action} onChange={(action) => set({ action }, { isTyping: true })} />
        </Field>
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
        <Field label="Job runs">
          <FilterSelect
            label="Job runs"
            all="Hidden"
            value={values.jobs}
            options={{ shown: 'Shown' }}
            onChange={(jobs) => set({ jobs })}
          />
        </Field>
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

const TYPING_PAUSE_MS = 300;

/** The actions that occur in the audit log, filtered by the typed text. */
function ActionField({ value, onChange }: { value: string; onChange: (action: string) => void }) {
  const actions = useQuery({ ...resource<AdminAnswers['listAuditActions']>('/audit/actions'), staleTime: 60_000 });
  const [text, setText] = useState(value);
  // The value also changes when the user goes back or forward in the browser.
  useEffect(() => setText(value), [value]);
  const search = useDebouncedCallback(onChange, TYPING_PAUSE_MS);
  return (
    <Autocomplete
      aria-label="Action"
      placeholder="All"
      data={actions.data?.items ?? []}
      value={text}
      maxLength={200}
      limit={50}
      clearable
      onChange={(next) => {
        setText(next);
        search(next.trim());
      }}
    />
  );
}

/** A visible label above a filter. Screen readers ignore this label, because the filter has its own accessible name. */
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
