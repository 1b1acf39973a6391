import { Badge, SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { resource } from '../../api/api.js';
import type { EnterpriseDetail } from '../../api/records.js';
import { BackLink } from '../../ui/back-link.js';
import { DataTable } from '../../ui/data-table.js';
import { Failure } from '../../ui/failure.js';
import { costText, countText } from '../../ui/figures.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';

function EnterprisePage() {
  const { project = '' } = useParams();
  const enterprise = useQuery(resource<EnterpriseDetail>(`/enterprises/${encodeURIComponent(project)}`));
  return (
    <>
      <BackLink to="/enterprises">Enterprises</BackLink>
      <PageHeader title={project} text="What the project has, and what it used in the last 30 days." />
      {enterprise.error && <Failure error={enterprise.error} retry={() => void enterprise.refetch()} />}
      {enterprise.isPending && <Skeleton height={200} radius="md" />}
      {enterprise.data && <Detail enterprise={enterprise.data} />}
    </>
  );
}

function Detail({ enterprise }: { enterprise: EnterpriseDetail }) {
  const { usage_30d: usage } = enterprise;
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
        <Stat label="Requests" value={usage.requests} />
        <Stat label="Agent messages" value={usage.agent_messages} />
        <Stat label="Model tokens" value={usage.model_tokens} />
        <Stat label="Model cost" value={costText(usage.model_cost_usd, usage.model_tokens)} />
        <Stat label="Agents" value={enterprise.agents} />
        <Stat label="Skills" value={enterprise.skills} />
        <Stat label="API keys" value={enterprise.keys} />
        <Stat label="OAuth clients" value={enterprise.clients} />
      </SimpleGrid>
      <Section title={countText(enterprise.members, 'member')} flush>
        <DataTable
          label="Members"
          columns={[
            {
              title: 'Name',
              render: ({ name, email, status }: EnterpriseDetail['member_list'][number]) => (
                <NamedCell
                  name={name}
                  text={email}
                  badges={status === 'inactive' && <Badge color="red">Disabled</Badge>}
                />
              ),
            },
            { title: 'Role', render: ({ role }) => (role === 'admin' ? 'Administrator' : 'User') },
          ]}
          query={{ data: { items: enterprise.member_list }, error: null, refetch: () => undefined }}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/access/users/${id}`}
          empty={{ title: 'Nobody belongs to it', text: 'Open an account under Users and give it this project.' }}
        />
      </Section>
    </>
  );
}

export { EnterprisePage as Component };
