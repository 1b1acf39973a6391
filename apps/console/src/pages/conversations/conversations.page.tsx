import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { titleOf, type Conversation } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { MetadataList } from '../../ui/metadata-list.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Time } from '../../ui/time.js';
import { beginningOf, modelsOf } from './about.js';

const COLUMNS: Column<Conversation>[] = [
  {
    title: 'Conversation',
    sort: 'title',
    render: (conversation) => <NamedCell name={titleOf(conversation)} text={beginningOf(conversation)} />,
  },
  { title: 'Messages', render: ({ message }) => message.length.toLocaleString('en') },
  { title: 'Model', render: (conversation) => <bdi>{modelsOf(conversation) || '—'}</bdi> },
  { title: 'By', render: ({ metadata }) => <bdi>{metadata.author}</bdi> },
  { title: 'Updated', sort: 'updated', render: ({ metadata }) => <Time at={metadata.updated} /> },
];

function ConversationsPage() {
  return (
    <MetadataList
      title="Conversations"
      text="Conversations of prompts that programs run. Those with agents are under Chat."
      noun="conversation"
      hasStatus={false}
      path="/v1/conversation"
      columns={COLUMNS}
      to="/conversations"
      bulk={{
        refresh: QUERY_KEYS.conversations,
        nameOf: titleOf,
        consequence: 'Also deletes their messages. The cost of their runs stays in the reports.',
      }}
      empty={{
        title: 'No conversations yet',
        text: 'Each run of a prompt starts or continues one. Open a prompt and try it.',
        action: (
          <Button component={Link} to="/prompts">
            Go to prompts
          </Button>
        ),
      }}
    />
  );
}

export { ConversationsPage as Component };
