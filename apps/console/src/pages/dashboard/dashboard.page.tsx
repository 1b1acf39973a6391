import { Alert, Anchor, Code, SimpleGrid, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Dashboard } from '../../api/records.js';
import { AddressList } from '../../ui/address-list.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';

function DashboardPage() {
  const dashboard = useQuery(resource<Dashboard>('/dashboard'));
  const records = dashboard.data?.records;
  return (
    <>
      <PageHeader title="Dashboard" text="What this installation holds, and where it is reached." />
      {dashboard.error && <Failure error={dashboard.error} retry={() => void dashboard.refetch()} />}
      {dashboard.data?.registration_open && <RegistrationWarning />}
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
        <Stat label="Active users" value={records?.users} to="/access/users?status=active" />
        <Stat label="Skills" value={records?.skills} />
        <Stat label="Agents" value={records?.agents} />
        <Stat label="Prompts" value={records?.prompts} />
      </SimpleGrid>
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

function RegistrationWarning() {
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title="Registration is open" mb="lg">
      <Text size="sm">
        Anyone who reaches the{' '}
        <Anchor href="/admin/register" inherit underline="always">
          registration page
        </Anchor>{' '}
        may make an account, administrators included. Set <Code>SECURITY_ALLOW_REGISTRATION=false</Code> to close it.
      </Text>
    </Alert>
  );
}

export { DashboardPage as Component };
