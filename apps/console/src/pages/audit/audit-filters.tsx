import { Button, Group, TextInput } from '@mantine/core';
import { FilterSelect } from '../../ui/filter-select.js';
import { SearchField } from '../../ui/search-field.js';
import classes from './audit-filters.module.css';

export const FILTERS = [
  'user',
  'actor_kind',
  'actor',
  'action',
  'resource',
  'decision',
  'from',
  'to',
  'request_id',
] as const;
type Values = Record<(typeof FILTERS)[number], string>;

export interface AuditFiltersProps {
  values: Values;
  set: (changes: Partial<Values>, options?: { isTyping: boolean }) => void;
}

const TEXTS = [
  ['user', 'User: email or id'],
  ['action', 'Action'],
  ['resource', 'On: id or path'],
  ['actor', 'Name of the actor'],
  ['request_id', 'Request id'],
] as const;

export function AuditFilters({ values, set }: AuditFiltersProps) {
  const isFiltered = Object.values(values).some((value) => value !== '');
  return (
    <div className={classes.filters} role="search" aria-label="Filter decisions">
      {TEXTS.map(([name, label]) => (
        <SearchField
          key={name}
          label={label}
          value={values[name]}
          onSearch={(value) => set({ [name]: value }, { isTyping: true })}
        />
      ))}
      <FilterSelect
        label="Actor"
        value={values.actor_kind}
        options={{ user: 'Users', job: 'Jobs', mcp: 'MCP servers' }}
        onChange={(actor_kind) => set({ actor_kind })}
      />
      <FilterSelect
        label="Decision"
        value={values.decision}
        options={{ allow: 'Allowed', deny: 'Denied' }}
        onChange={(decision) => set({ decision })}
      />
      <TextInput
        type="datetime-local"
        aria-label="From"
        leftSection={<span className={classes.label}>From</span>}
        leftSectionWidth={52}
        value={values.from}
        onChange={(event) => set({ from: event.currentTarget.value }, { isTyping: true })}
      />
      <TextInput
        type="datetime-local"
        aria-label="To"
        leftSection={<span className={classes.label}>To</span>}
        leftSectionWidth={36}
        value={values.to}
        onChange={(event) => set({ to: event.currentTarget.value }, { isTyping: true })}
      />
      <Group>
        {isFiltered && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => set(Object.fromEntries(FILTERS.map((name) => [name, ''])))}
          >
            Clear filters
          </Button>
        )}
      </Group>
    </div>
  );
}
