import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Decision, Items } from '../../api/records.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { decisionColumns } from '../audit/decision-columns.js';

const AGAIN_MS = 5_000;

/** What is being done, as it is recorded. */
export function Activity() {
  const decisions = useQuery({
    ...resource<Items<Decision>>('/dashboard/activity'),
    refetchInterval: AGAIN_MS,
  });
  return (
    <Section title="Live activity" text={<Link to="/audit">All of the audit trail</Link>} flush>
      <DataTable
        label="Live activity"
        columns={decisionColumns}
        query={decisions}
        rowKey={({ id }) => id}
        empty={{ title: 'Nothing is recorded yet' }}
      />
    </Section>
  );
}
