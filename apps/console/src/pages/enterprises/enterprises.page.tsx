import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Enterprise, Items } from '../../api/records.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { costText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';

const figure = (title: string, of: (enterprise: Enterprise) => number): Column<Enterprise> => ({
  title,
  align: 'right',
  render: (enterprise) => of(enterprise).toLocaleString('en'),
});

const COLUMNS: Column<Enterprise>[] = [
  {
    title: 'Enterprise',
    render: ({ project }) => (
      <Text size="sm" fw={550}>
        {project}
      </Text>
    ),
  },
  figure('Members', ({ members }) => members),
  figure('Agents', ({ agents }) => agents),
  figure('Skills', ({ skills }) => skills),
  figure('Keys', ({ keys }) => keys),
  figure('Clients', ({ clients }) => clients),
  figure('Requests', ({ usage_30d }) => usage_30d.requests),
  figure('Messages', ({ usage_30d }) => usage_30d.agent_messages),
  figure('Tokens', ({ usage_30d }) => usage_30d.model_tokens),
  {
    title: 'Cost',
    align: 'right',
    render: ({ usage_30d }) => costText(usage_30d.model_cost_usd, usage_30d.model_tokens),
  },
];

function EnterprisesPage() {
  const enterprises = useQuery(resource<Items<Enterprise>>('/enterprises'));
  return (
    <>
      <PageHeader title="Enterprises" text="The projects with their people and what they used in the last 30 days." />
      <Section title="Projects" flush>
        <DataTable
          label="Enterprises"
          columns={COLUMNS}
          query={enterprises}
          rowKey={({ project }) => project}
          rowLink={({ project }) => `/enterprises/${encodeURIComponent(project)}`}
          empty={{
            title: 'No project',
            text: 'Core and Commerce are there from the start: this installation has neither.',
          }}
        />
      </Section>
    </>
  );
}

export { EnterprisesPage as Component };
