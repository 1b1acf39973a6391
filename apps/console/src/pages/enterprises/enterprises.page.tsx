import { Button, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resource } from '../../api/api.js';
import type { Enterprise, Items } from '../../api/admin-records.js';
import { projectList } from '../../api/projects.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { costText, limitedText } from '../../ui/figures.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { ProjectDialog } from './project-dialog.js';

const column = (title: string, of: (enterprise: Enterprise) => string): Column<Enterprise> => ({
  title,
  align: 'right',
  render: of,
});
const figure = (title: string, of: (enterprise: Enterprise) => number) =>
  column(title, (enterprise) => of(enterprise).toLocaleString('en'));
/** A column for a count. The API counts only up to a limit, which is shown as "10,000+". */
const limited = (title: string, of: (enterprise: Enterprise) => number) =>
  column(title, (enterprise) => limitedText(of(enterprise)));

const COLUMNS: Column<Enterprise>[] = [
  {
    title: 'Project',
    render: ({ project, name }) =>
      name === undefined ? (
        <Text size="sm" fw={550}>
          {project}
        </Text>
      ) : (
        <NamedCell name={name} text={project} />
      ),
  },
  limited('Active members', ({ members }) => members),
  figure('Agents', ({ agents }) => agents),
  figure('Skills', ({ skills }) => skills),
  limited('API keys', ({ keys }) => keys),
  limited('OAuth clients', ({ clients }) => clients),
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
  const isOpen = useQuery(projectList()).data?.open === true;
  const [isMaking, setMaking] = useState(false);
  return (
    <>
      <PageHeader
        title="Projects"
        text="Members, records and usage of each project."
        actions={
          isOpen && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => setMaking(true)}>
              New project
            </Button>
          )
        }
      />
      {isOpen && <ProjectDialog opened={isMaking} close={() => setMaking(false)} />}
      <Section title="Projects" text="Requests, messages, tokens and cost: last 30 days." flush>
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
      </Section>
    </>
  );
}

export { EnterprisesPage as Component };
