import { Button, SimpleGrid, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useParams } from 'react-router';
import { resource, send } from '../../api/api.js';
import { chooseProject } from '../../api/project.js';
import { projectList, useProjectName } from '../../api/projects.js';
import type { EnterpriseDetail } from '../../api/admin-records.js';
import { BackLink } from '../../ui/back-link.js';
import { DataTable } from '../../ui/data-table.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { Failure } from '../../ui/failure.js';
import { costText, countText, limitedText } from '../../ui/figures.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { AccountStatus, RoleBadge } from '../../ui/user-badges.js';
import { SectionsShape, TilesShape } from '../../ui/loading.js';
import { ProjectDialog } from './project-dialog.js';
import { PROJECT_KEYS } from './project-keys.js';

function EnterprisePage() {
  const { project = '' } = useParams();
  const enterprise = useQuery(resource<EnterpriseDetail>(`/enterprises/${encodeURIComponent(project)}`));
  const name = useProjectName()(project);
  return (
    <>
      <BackLink to="/enterprises">Projects</BackLink>
      <PageHeader
        title={name}
        text="Usage, resources and members of the project."
        actions={enterprise.data?.name !== undefined && <Rename project={{ id: project, name }} />}
      />
      {enterprise.error && <Failure error={enterprise.error} retry={() => void enterprise.refetch()} />}
      {enterprise.isPending && (
        <>
          <TilesShape />
          <TilesShape />
          <SectionsShape sections={1} />
        </>
      )}
      {enterprise.data && <Detail enterprise={enterprise.data} />}
    </>
  );
}

/** Maximum number of members that the API lists. */
const MOST_MEMBERS = 100;

function Detail({ enterprise }: { enterprise: EnterpriseDetail }) {
  const { project, usage_30d: usage, member_list, members } = enterprise;
  const isCut = member_list.length === MOST_MEMBERS;
  return (
    <>
      <Figures title="Last 30 days">
        <Stat label="Requests" value={usage.requests} />
        <Stat label="Agent messages" value={usage.agent_messages} />
        <Stat label="Model tokens" value={usage.model_tokens} to="/reports/internal" />
        <Stat label="Model cost" value={costText(usage.model_cost_usd, usage.model_tokens)} to="/reports/internal" />
      </Figures>
      <Figures title="Resources" project={project}>
        <Stat label="Agents" value={enterprise.agents} to="/build/agents" />
        <Stat label="Skills" value={enterprise.skills} to="/build/skills" />
        <Stat label="API keys" value={limitedText(enterprise.keys)} />
        <Stat label="OAuth clients" value={limitedText(enterprise.clients)} />
      </Figures>
      <Section
        title={isCut ? 'Members' : countText(member_list.length, 'member')}
        {...(isCut && {
          text: `The first ${MOST_MEMBERS} by name, of ${limitedText(members)} active accounts. Users lists all.`,
        })}
        {...(!isCut && members < member_list.length && { text: `${members} active` })}
        flush
      >
        <DataTable
          label="Members"
          columns={[
            {
              title: 'Name',
              render: ({ name, email }: EnterpriseDetail['member_list'][number]) => (
                <NamedCell name={name} text={email} />
              ),
            },
            { title: 'Role', render: (member) => <RoleBadge user={member} /> },
            { title: 'Status', render: (member) => <AccountStatus account={member} /> },
          ]}
          query={{ data: { items: member_list }, error: null, refetch: () => undefined }}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/access/users/${id}`}
          empty={{ title: 'No members', text: 'Create a user with this project under Users.' }}
        />
      </Section>
      {enterprise.name !== undefined && <Delete id={project} name={enterprise.name} />}
    </>
  );
}

/** Whether the signed-in user may create, rename and delete projects. */
const useIsOpen = () => useQuery(projectList()).data?.open === true;

function Rename({ project }: { project: { id: string; name: string } }) {
  const [opened, { open, close }] = useDisclosure();
  if (!useIsOpen()) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        Rename
      </Button>
      <ProjectDialog opened={opened} close={close} project={project} />
    </>
  );
}

function Delete({ id, name }: { id: string; name: string }) {
  if (!useIsOpen()) return null;
  return (
    <DeleteSection
      noun="project"
      name={name}
      consequence="Only a project without members and records can be deleted. API keys and OAuth clients that are left in it stop working; its audit log and usage are kept."
      work={() => send('DELETE', `/enterprises/${id}`)}
      refresh={PROJECT_KEYS}
      to="/enterprises"
    />
  );
}

interface FiguresProps {
  title: string;
  /** The project of the figures. A click on a figure selects this project, because the opened page shows records of the selected project. */
  project?: string;
  children: ReactNode;
}

function Figures({ title, project, children }: FiguresProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} onClick={() => project !== undefined && chooseProject(project)}>
      <Title order={2} id={id} mb="xs">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
        {children}
      </SimpleGrid>
    </section>
  );
}

export { EnterprisePage as Component };
