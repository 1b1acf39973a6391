import { Button } from '@mantine/core';
import { Link } from 'react-router';
import type { Conversation } from '../../api/prompt-records.js';
import type { Column } from '../../ui/data-table.js';
import { MetadataList } from '../../ui/metadata-list.js';
import { NamedCell } from '../../ui/named-cell.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { beginningOf, modelsOf, titleOf } from './about.js';

const COLUMNS: Column<Conversation>[] = [
  {
    title: 'Conversation',
    render: (conversation) => <NamedCell name={titleOf(conversation)} text={beginningOf(conversation)} />,
  },
  { title: 'Messages', render: ({ message }) => message.length.toLocaleString('en') },
  { title: 'Model', render: (conversation) => <bdi>{modelsOf(conversation) || '—'}</bdi> },
  { title: 'Status', render: ({ metadata }) => <StatusBadge status={metadata.status} /> },
  { title: 'By', render: ({ metadata }) => <bdi>{metadata.author}</bdi> },
  { title: 'Updated', render: ({ metadata }) => <Time at={metadata.updated} /> },
];

function ConversationsPage() {
  return (
    <MetadataList
      title="Conversations"
      text="Conversations started by prompt runs."
      noun="conversation"
      path="/v1/conversation"
      columns={COLUMNS}
      to="/conversations"
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
