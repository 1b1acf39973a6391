import { Button, Text } from '@mantine/core';
import { IconMessages, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import type { RegisteredAgent } from '../../api/runtime-records.js';
import { CHAT } from '../../api/roles.js';
import { CurlButton } from '../../ui/curl.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { countText } from '../../ui/figures.js';
import { Filters, noResults } from '../../ui/filters.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { agentRegistry } from './agent-registry.js';
import { AgentStatus } from './agent-status.js';
import { ChatButton } from './chat-button.js';
import { ConversationList } from './conversation-list.js';
import { FoldedList } from './folded-list.js';
import classes from './talk.module.css';
import { useAgentNames } from './use-agent-names.js';

const newAgent = (
  <Button component={Link} to="/build/agents/new" variant="default" leftSection={<IconPlus size={16} />}>
    New agent
  </Button>
);

/** The user's conversations, and the agents with which to begin a conversation. */
function TalkPage() {
  const nameOf = useAgentNames();
  const navigate = useNavigate();
  const { values, set } = useUrlState(['search']);
  const wanted = values.search.trim().toLowerCase();
  const isFound = ({ name: slug }: RegisteredAgent) => {
    const { name, description } = nameOf(slug);
    return `${name} ${slug} ${description}`.toLowerCase().includes(wanted);
  };
  const agents = useQuery({
    ...agentRegistry(),
    select: ({ agents: items }) => ({ items: items.filter(isFound) }),
  });
  const columns: Column<RegisteredAgent>[] = [
    {
      title: 'Agent',
      render: ({ name: slug }) => <NamedCell name={nameOf(slug).name} text={nameOf(slug).description} />,
    },
    { title: 'Status', render: ({ status }) => <AgentStatus status={status} /> },
    {
      title: 'Skills',
      render: ({ capabilities }) =>
        capabilities.length === 0 ? (
          '—'
        ) : (
          <Text size="sm" lineClamp={2}>
            {capabilities.join(', ')}
          </Text>
        ),
    },
    {
      title: 'Actions',
      isActions: true,
      render: ({ name: slug, status }) => status !== 'stopped' && <ChatButton name={nameOf(slug).name} slug={slug} />,
    },
  ];
  return (
    <>
      <PageHeader
        title="Chat"
        text="Continue a conversation, or begin one with an agent."
        actions={
          <>
            <CurlButton area="runtime" calls={[{ title: 'List the agents', path: '/api/v1/agents/registry' }]} />
            <Button component="a" href={CHAT} variant="default" leftSection={<IconMessages size={16} />}>
              Open chat
            </Button>
            {newAgent}
          </>
        }
      />
      <div className={classes.columns}>
        <div>
          <Filters label="Filter agents">
            <SearchField
              label="Search agents"
              value={values.search}
              onSearch={(search) => set({ search }, { isTyping: true })}
            />
          </Filters>
          <Section title={agents.data ? countText(agents.data.items.length, 'agent') : 'Agents'} flush>
            <DataTable
              label="Agents"
              columns={columns}
              query={agents}
              rowKey={({ name }) => name}
              rowLink={({ name }) => `/talk/${name}`}
              isFaded={({ status }) => status === 'stopped'}
              empty={
                wanted === ''
                  ? { title: 'No agents yet', text: 'Create one to chat with it here.', action: newAgent }
                  : noResults(() => set({ search: null }), `No agents match “${values.search}”`)
              }
            />
          </Section>
        </div>
        {/* Both lists come from the runtime API, so one failure message is enough. */}
        {!agents.error && (
          <FoldedList>
            {() => (
              <ConversationList
                current={undefined}
                addressOf={(id, slug) => `/talk/${slug}/${id}`}
                nameOf={(slug) => nameOf(slug).name}
                onDeleted={() => void navigate('/talk')}
              />
            )}
          </FoldedList>
        )}
      </div>
    </>
  );
}

export { TalkPage as Component };
