import { Button, Code } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Block } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { MetadataList } from '../../ui/metadata-list.js';
import { NamedCell } from '../../ui/named-cell.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { TagList } from '../../ui/tag-list.js';
import { Time } from '../../ui/time.js';

const COLUMNS: Column<Block>[] = [
  {
    title: 'Block',
    sort: 'title',
    render: ({ metadata: { title, description }, prefix }) => <NamedCell name={title || prefix} text={description} />,
  },
  { title: 'Token', render: ({ prefix }) => <Code style={{ overflowWrap: 'anywhere' }}>{`{{${prefix}}}`}</Code> },
  { title: 'Status', render: ({ metadata }) => <StatusBadge status={metadata.status} /> },
  { title: 'Tags', render: ({ metadata }) => <TagList tags={metadata.tag} /> },
  { title: 'Updated', sort: 'updated', render: ({ metadata }) => <Time at={metadata.updated} /> },
];

const newBlock = (
  <Button component={Link} to="/blocks/new" leftSection={<IconPlus size={16} />}>
    New block
  </Button>
);

function BlocksPage() {
  return (
    <MetadataList
      title="Blocks"
      text="Reusable text. Insert with {{name}}."
      noun="block"
      path="/v1/block"
      columns={COLUMNS}
      to="/blocks"
      actions={newBlock}
      bulk={{
        refresh: QUERY_KEYS.blocks,
        nameOf: ({ prefix }) => prefix,
        consequence: 'Prompts that use them will contain their names, unreplaced.',
      }}
      empty={{
        title: 'No blocks yet',
        text: 'Write a text that several prompts share once, such as house rules, and insert it with {{name}}.',
        action: newBlock,
      }}
    />
  );
}

export { BlocksPage as Component };
