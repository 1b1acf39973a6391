import { SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Dashboard, Decision, List } from '../../api/records.js';
import { AddressList } from '../../ui/address-list.js';
import { DataTable } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { decisionColumns } from '../audit/decision-columns.js';
import { Attention } from './attention.js';

function DashboardPage() {
  const dashboard = useQuery(resource<Dashboard>('/dashboard'));
  const decisions = useQuery(resource<List<Decision>>('/audit', { per_page: 8 }));
  const records = dashboard.data?.records;
  return (
    <>
      <PageHeader title="Dashboard" text="What this installation holds, and what happened last." />
      {dashboard.error && <Failure error={dashboard.error} retry={() => void dashboard.refetch()} />}
      <Attention dashboard={dashboard.data} />
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
        <Stat label="Active users" value={records?.users} to="/access/users?status=active" />
        <Stat label="Skills" value={records?.skills} />
        <Stat label="Agents" value={records?.agents} />
        <Stat label="Prompts" value={records?.prompts} />
      </SimpleGrid>
      <Section title="Latest decisions" text={<Link to="/audit">All of the audit trail</Link>} flush>
        <DataTable
          label="Latest decisions"
          columns={decisionColumns}
          query={decisions}
          rowKey={({ id }) => id}
          empty={{ title: 'Nothing is recorded yet' }}
        />
      </Section>
      <Section
        title="Addresses"
        text={
          <>
            Where programs reach the platform. <Link to="/setup">Set up</Link> has the first calls ready to paste.
          </>
        }
      >
        <AddressList />
      </Section>
    </>
  );
}

export { DashboardPage as Component };
