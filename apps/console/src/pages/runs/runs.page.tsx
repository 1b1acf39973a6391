import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import { CHAT } from '../../api/roles.js';
import { titleOf, type Prompt } from '../../api/prompt-records.js';
import type { RunPage } from '../../api/runtime-records.js';
import { DataTable } from '../../ui/data-table.js';
import { FilterSelect, Filters, noResults } from '../../ui/filters.js';
import type { EmptyStateProps } from '../../ui/empty-state.js';
import { PageHeader } from '../../ui/page-header.js';
import { CursorPager } from '../../ui/pager.js';
import { SearchField } from '../../ui/search-field.js';
import { Panel } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { RUN_COLUMNS } from './run-columns.js';
import { CHANNELS, STATES } from './run-text.js';

const FILTERS = [
  'agent',
  'prompt',
  'conversation_id',
  'state',
  'channel',
  'tool',
  'user',
  'model',
  'min_cost',
  'min_duration',
  'has_error',
  'period',
] as const;

const PERIODS: Readonly<Record<string, { label: string; hours: number }>> = {
  hour: { label: 'Last hour', hours: 1 },
  day: { label: 'Last 24 hours', hours: 24 },
  week: { label: 'Last 7 days', hours: 7 * 24 },
  month: { label: 'Last 30 days', hours: 30 * 24 },
};

const REFRESH_MS = 4_000;
const MINUTE_MS = 60_000;

const labels = (entries: Readonly<Record<string, { label: string }>>) =>
  Object.fromEntries(Object.entries(entries).map(([name, { label }]) => [name, label]));

/** The start of a period, rounded to the minute, so that the list's address stays the same for a minute. */
function sinceOf(period: string): string | undefined {
  const hours = PERIODS[period]?.hours;
  if (hours === undefined) return undefined;
  return new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - hours * 60 * MINUTE_MS).toISOString();
}

/** Minimum costs in US dollars. */
const COSTS = { '0.01': '$0.01 or more', '0.1': '$0.10 or more', '1': '$1 or more', '10': '$10 or more' };
/** Minimum durations in seconds. */
const DURATIONS = { '5': '5 s or more', '30': '30 s or more', '300': '5 min or more', '3600': '1 h or more' };

function RunsPage() {
  const {
    values: { cursor, ...values },
    set,
  } = useUrlState([...FILTERS, 'cursor']);
  const { period, ...filters } = values;
  const runs = useQuery({
    ...areaResource<RunPage>('runtime', '/api/v1/runs', { ...filters, since: sinceOf(period), cursor, limit: 50 }),
    placeholderData: keepPreviousData,
    refetchInterval: cursor === '' ? REFRESH_MS : false,
  });
  const isFiltered = Object.values(values).some((value) => value !== '');
  const change = (changes: Partial<typeof values>, options?: { isTyping: boolean }) =>
    set({ ...changes, cursor: null }, options);
  const search = (name: 'agent' | 'tool' | 'model' | 'user', label: string) => (
    <SearchField
      label={label}
      value={values[name]}
      onSearch={(value) => change({ [name]: value }, { isTyping: true })}
    />
  );
  const select = (
    name: keyof typeof values,
    label: string,
    options: Readonly<Record<string, string>>,
    all?: string,
  ) => (
    <FilterSelect
      label={label}
      value={values[name]}
      options={options}
      onChange={(value) => change({ [name]: value })}
      {...(all !== undefined && { all })}
    />
  );
  const next = runs.data?.next_cursor ?? null;
  return (
    <>
      <PageHeader title="Runs" text="What agents and prompts did, step by step." />
      <Filters label="Filter runs">
        {search('agent', 'Agent')}
        {search('tool', 'Tool')}
        {search('model', 'Model')}
        {search('user', 'User ID')}
        {select('state', 'State', labels(STATES))}
        {select('channel', 'Channel', CHANNELS)}
        {select('min_cost', 'Cost', COSTS, 'Any cost')}
        {select('min_duration', 'Duration', DURATIONS, 'Any duration')}
        {select('has_error', 'Errors', { true: 'With errors', false: 'Without errors' })}
        {select('period', 'Period', labels(PERIODS), 'Any time')}
        {values.conversation_id !== '' && (
          <ChosenFilter
            text="Conversation"
            name={values.conversation_id.slice(0, 8)}
            others="all conversations"
            onClear={() => change({ conversation_id: '' })}
          />
        )}
        {values.prompt !== '' && <PromptFilter id={values.prompt} onClear={() => change({ prompt: '' })} />}
      </Filters>
      <Panel label="Runs">
        <DataTable
          label="Runs"
          columns={RUN_COLUMNS}
          query={runs}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/runs/${id}`}
          empty={emptyState(isFiltered, next !== null, () =>
            set(Object.fromEntries([...FILTERS, 'cursor'].map((name) => [name, null]))),
          )}
        />
        <CursorPager
          cursor={cursor}
          next={next}
          onCursor={(chosen) => set({ cursor: chosen })}
          note={cursor === '' ? 'Latest runs; they refresh themselves' : 'Older runs'}
        />
      </Panel>
    </>
  );
}

/** The prompt whose runs are shown, with a button that removes this filter. */
function PromptFilter({ id, onClear }: { id: string; onClear: () => void }) {
  const prompt = useQuery(areaResource<Prompt>('prompt', `/v1/prompt/${encodeURIComponent(id)}`));
  const name = prompt.data ? titleOf(prompt.data) : id;
  return <ChosenFilter text="Prompt" name={name} others="all prompts" onClear={onClear} />;
}

interface ChosenFilterProps {
  text: string;
  name: string;
  /** Describes the runs that are shown when the filter is removed. */
  others: string;
  onClear: () => void;
}

/** A filter that was set by a link from another page, as a button that removes it. */
function ChosenFilter({ text, name, others, onClear }: ChosenFilterProps) {
  return (
    <Button
      variant="light"
      size="xs"
      rightSection={<IconX size={14} stroke={1.7} aria-hidden />}
      onClick={onClear}
      aria-label={`${text}: ${name}. Show runs of ${others}`}
    >
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {text}: <bdi>{name}</bdi>
      </span>
    </Button>
  );
}

function emptyState(isFiltered: boolean, leadsOn: boolean, onClear: () => void): EmptyStateProps {
  if (leadsOn) return { title: 'None among the latest 5,000 runs', text: 'Older ones may match: press Older.' };
  if (isFiltered) return noResults(onClear);
  return {
    title: 'No runs yet',
    text: 'Send an agent a message, and its run appears here.',
    action: (
      <Button component="a" href={CHAT} variant="default">
        Open chat
      </Button>
    ),
  };
}

export { RunsPage as Component };
