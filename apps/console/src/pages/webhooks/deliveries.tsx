import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource, askArea } from '../../api/areas.js';
import type { Delivery, DeliveryPage } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { FilterSelect } from '../../ui/filters.js';
import { countText } from '../../ui/figures.js';
import { NamedCell } from '../../ui/named-cell.js';
import { CursorPager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { DeliveryDrawer } from './delivery-drawer.js';
import { DELIVERY_STATES, DeliveryState } from './delivery-state.js';

const COLUMNS: readonly Column<Delivery>[] = [
  { title: 'Event', render: ({ event }) => <NamedCell name={event.type} text={event.subject} /> },
  { title: 'State', render: ({ state }) => <DeliveryState state={state} /> },
  { title: 'Attempts', render: ({ attempts }) => attempts, align: 'right' },
  { title: 'Last answer', render: ({ last_status, last_error }) => last_error ?? last_status ?? '—' },
  { title: 'Happened', render: ({ event }) => <Time at={event.created_at} /> },
];

const REFRESH_MS = 3_000;
const DAY_MS = 86_400_000;

export interface DeliveriesProps {
  /** Path of the webhook. */
  path: string;
  isActive: boolean;
}

/** The deliveries of a webhook, newest first. The list refreshes itself while some deliveries wait. */
export function Deliveries({ path, isActive }: DeliveriesProps) {
  const { values, set } = useUrlState(['state', 'cursor', 'delivery']);
  const { state, cursor, delivery } = values;
  const list = useQuery({
    ...areaResource<DeliveryPage>('platform', `${path}/deliveries`, { state, cursor, limit: 25 }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      data?.items.some((item) => item.state === 'pending') ? REFRESH_MS : false,
  });
  const replayPeriod = useAction(
    () =>
      askArea<{ replayed: number; more: boolean }>('platform', 'POST', `${path}/replay`, {
        since: new Date(Date.now() - DAY_MS).toISOString(),
      }),
    {
      refresh: QUERY_KEYS.webhooks,
      done: ({ replayed, more }) =>
        `${countText(replayed, 'event')} waiting again.${more ? ' Repeat it for the rest.' : ''}`,
    },
  );
  const next = list.data?.next_cursor ?? null;
  return (
    <Section
      title="Deliveries"
      flush
      actions={
        <>
          <FilterSelect
            label="State"
            value={state}
            options={Object.fromEntries(Object.entries(DELIVERY_STATES).map(([value, { label }]) => [value, label]))}
            onChange={(chosen) => set({ state: chosen, cursor: null })}
          />
          <Button
            variant="default"
            disabled={!isActive}
            onClick={() =>
              confirm({
                title: 'Replay the last day?',
                text: 'Events of the last 24 hours that were not delivered are sent again, up to 1,000 at once.',
                action: 'Replay',
                tone: 'plain',
                work: () => replayPeriod.mutateAsync(),
              })
            }
          >
            Replay last day
          </Button>
        </>
      }
    >
      <DataTable
        label="Deliveries"
        columns={COLUMNS}
        query={list}
        rowKey={({ id }) => id}
        onOpen={({ id }) => set({ delivery: id })}
        empty={{
          title: 'No deliveries',
          text: 'They appear here as soon as an event happens. Send a test to see one.',
        }}
      />
      <CursorPager cursor={cursor} next={next} onCursor={(chosen) => set({ cursor: chosen })} />
      <DeliveryDrawer path={path} id={delivery} isActive={isActive} close={() => set({ delivery: null })} />
    </Section>
  );
}
