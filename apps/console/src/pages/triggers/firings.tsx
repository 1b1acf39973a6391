import { Badge, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { Firing, FiringPage } from '../../api/platform-records.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { FilterSelect } from '../../ui/filters.js';
import { NamedCell } from '../../ui/named-cell.js';
import { CursorPager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { RunLink } from '../runs/run-link.js';
import { FIRING_STATES, REASONS, SOURCES } from './trigger-text.js';

function State({ firing: { state, reason } }: { firing: Firing }) {
  return (
    <>
      <Badge color={FIRING_STATES[state].color}>{FIRING_STATES[state].label}</Badge>
      {reason !== null && (
        <Text size="xs" c="dimmed" mt={2}>
          {REASONS[reason]}
        </Text>
      )}
    </>
  );
}

const INPUT_SHOWN = 120;
const excerptOf = (input: string) => (input.length > INPUT_SHOWN ? `${input.slice(0, INPUT_SHOWN)}…` : input);

const COLUMNS: readonly Column<Firing>[] = [
  {
    title: 'Firing',
    render: ({ number, source, input }) => (
      <NamedCell name={`#${number} · ${SOURCES[source]}`} text={excerptOf(input)} />
    ),
  },
  { title: 'State', render: (firing) => <State firing={firing} /> },
  { title: 'Time', render: ({ at }) => <Time at={at} /> },
  { title: 'Ended', render: ({ ended_at }) => <Time at={ended_at} none="—" /> },
  { title: 'Run', render: ({ run_id }) => run_id !== null && <RunLink id={run_id} />, isActions: true },
];

const REFRESH_MS = 3_000;

/** The firings of a trigger, newest first. The list refreshes itself while some firings have not ended. */
export function Firings({ path }: { path: string }) {
  const { values, set } = useUrlState(['state', 'cursor']);
  const { state, cursor } = values;
  const list = useQuery({
    ...areaResource<FiringPage>('platform', `${path}/firings`, { state, cursor, limit: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) => (data?.items.some((item) => item.ended_at === null) ? REFRESH_MS : false),
  });
  const next = list.data?.next_cursor ?? null;
  return (
    <Section
      title="Firings"
      flush
      actions={
        <FilterSelect
          label="State"
          value={state}
          options={Object.fromEntries(Object.entries(FIRING_STATES).map(([value, { label }]) => [value, label]))}
          onChange={(chosen) => set({ state: chosen, cursor: null })}
        />
      }
    >
      <DataTable
        label="Firings"
        columns={COLUMNS}
        query={list}
        rowKey={({ id }) => id}
        empty={{ title: 'No firings', text: 'They appear here as soon as the trigger fires. Fire it to test it.' }}
      />
      <CursorPager cursor={cursor} next={next} onCursor={(chosen) => set({ cursor: chosen })} />
    </Section>
  );
}
