import { Badge, Button, Tabs } from '@mantine/core';
import { IconCopy, IconMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Agent, AgentFields } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { AgentAvatar } from '../../ui/agent-avatar.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { useSave } from '../../ui/use-save.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { Connect } from '../connect/connect.js';
import { CopyValue, Details } from '../record/details.js';
import { versionIn } from '../versions/version-in.js';
import { Versions } from '../versions/versions.js';
import { AgentForm } from './agent-form.js';
import { fieldsOf } from './agent-values.js';
import { AgentGuards } from './agent-guards.js';
import { AgentRuns } from './agent-runs.js';
import { DefaultAgent } from './default-agent.js';

function AgentPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/agents/${encodeURIComponent(id)}`;
  const agent = useQuery(areaRecord<Agent>('platform', path));
  return (
    <RecordPage back={{ to: '/build/agents', label: 'Agents' }} title="Agent" query={agent}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

function Detail({ path, found: { record: agent, etag } }: { path: string; found: Versioned<Agent> }) {
  const { values, set } = useUrlState(['tab']);
  const save = useSave(
    (changes: AgentFields, readEtag) => askArea<Agent>('platform', 'PATCH', path, changes, matching(readEtag)),
    { refresh: QUERY_KEYS.agents, done: 'Saved. Applies from the next message.' },
  );
  const fields = fieldsOf(agent);
  return (
    <>
      <PageHeader
        title={agent.name}
        text={agent.description}
        picture={<AgentAvatar name={agent.name} size={36} />}
        badges={
          <>
            <StatusBadge status={agent.status} />
            {agent.is_default && <Badge>Default</Badge>}
          </>
        }
        actions={
          <>
            <AuditLogLink filters={{ resource: agent.id }} />
            <Button
              component={Link}
              to={`/build/agents/new?from=${agent.id}`}
              variant="subtle"
              color="gray"
              px="xs"
              leftSection={<IconCopy size={16} stroke={1.7} />}
            >
              Duplicate
            </Button>
            <Connect target={{ kind: 'agent', slug: agent.slug }} name={agent.name} />
            {agent.status === 'active' && (
              <Button component={Link} to={`/talk/${agent.slug}`} leftSection={<IconMessage size={16} />}>
                Chat
              </Button>
            )}
          </>
        }
      />
      <Tabs
        value={values.tab || 'edit'}
        onChange={(tab) => set({ tab: tab === 'edit' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="edit">Edit</Tabs.Tab>
          <Tabs.Tab value="guards">Guards</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit" keepMounted>
          <AgentForm
            key={etag}
            saved={{ id: agent.id, slug: agent.slug, path, version: versionIn(etag) }}
            agent={fields}
            isSaving={save.isPending}
            onSave={(changes, { onFaults }) => save.mutate({ values: changes, etag, onFaults })}
            aside={
              <Details record={agent} facts={[['Slug', <CopyValue key="slug" value={agent.slug} label="slug" />]]} />
            }
            below={
              <>
                <DefaultAgent path={path} agent={agent} />
                <DeleteSection
                  noun="agent"
                  name={agent.name}
                  consequence="Also deletes its conversations and versions. Runs that have begun finish unless you stop the agent first."
                  work={() => askArea('platform', 'DELETE', path)}
                  refresh={QUERY_KEYS.agents}
                  to="/build/agents"
                />
              </>
            }
          />
        </Tabs.Panel>
        <Tabs.Panel value="guards">
          <AgentGuards path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <AgentRuns agent={agent} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions<AgentFields> path={path} current={fields} etag={etag} refresh={QUERY_KEYS.agents} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export { AgentPage as Component };
