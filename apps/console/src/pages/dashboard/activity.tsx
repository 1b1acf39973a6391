import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Decision, Items } from '../../api/admin-records.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { DecisionDrawer } from '../audit/decision-drawer.js';
import { EventTable } from '../audit/event-table.js';

const AGAIN_MS = 5_000;

/** The latest entries of the audit log. */
export function Activity() {
  const { values, set } = useUrlState(['row']);
  const decisions = useQuery({
    ...resource<Items<Decision>>('/dashboard/activity'),
    refetchInterval: AGAIN_MS,
  });
  return (
    <Section title="Live activity" actions={<Link to="/audit">View all</Link>} flush>
      <EventTable
        label="Live activity"
        query={decisions}
        onOpen={({ id }) => set({ row: id })}
        isShort
        empty={{ title: 'No events yet' }}
      />
      <DecisionDrawer
        id={values.row}
        listed={decisions.data?.items.find(({ id }) => id === values.row)}
        close={() => set({ row: null })}
      />
    </Section>
  );
}
