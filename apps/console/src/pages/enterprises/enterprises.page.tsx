import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Enterprise, Items } from '../../api/admin-records.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { costText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import classes from './enterprises.module.css';

const figure = (title: string, of: (enterprise: Enterprise) => number): Column<Enterprise> => ({
  title,
  align: 'right',
  render: (enterprise) => of(enterprise).toLocaleString('en'),
});

const COLUMNS: Column<Enterprise>[] = [
  {
    title: 'Project',
    render: ({ project }) => (
      <Text size="sm" fw={550}>
        {project}
      </Text>
    ),
  },
  figure('Active members', ({ members }) => members),
  figure('Agents', ({ agents }) => agents),
  figure('Skills', ({ skills }) => skills),
  figure('API keys', ({ keys }) => keys),
  figure('OAuth clients', ({ clients }) => clients),
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
      <PageHeader title="Projects" text="Members, records and usage of each project." />
      <Section title="Projects" text="Requests, messages, tokens and cost: last 30 days." flush>
        <div className={classes.projects}>
          <DataTable
            label="Projects"
            columns={COLUMNS}
            query={enterprises}
            rowKey={({ project }) => project}
            rowLink={({ project }) => `/enterprises/${encodeURIComponent(project)}`}
            empty={{
              title: 'No projects',
            }}
          />
        </div>
      </Section>
    </>
  );
}

export { EnterprisesPage as Component };
