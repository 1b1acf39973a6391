import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { titleOf, type Prompt } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { MetadataList } from '../../ui/metadata-list.js';
import { NamedCell } from '../../ui/named-cell.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { TagList } from '../../ui/tag-list.js';
import { Time } from '../../ui/time.js';
import { usageColumns } from '../usage/usage-columns.js';
import { useRecentUsage } from '../usage/use-recent-usage.js';

const COLUMNS: Column<Prompt>[] = [
  {
    title: 'Prompt',
    sort: 'title',
    render: (prompt) => <NamedCell name={titleOf(prompt)} text={prompt.metadata.description} />,
  },
  { title: 'Status', render: ({ metadata }) => <StatusBadge status={metadata.status} /> },
  { title: 'Version', render: ({ metadata }) => metadata.version.toLocaleString('en') },
  { title: 'Tags', render: ({ metadata }) => <TagList tags={metadata.tag} /> },
  { title: 'Updated', sort: 'updated', render: ({ metadata }) => <Time at={metadata.updated} /> },
];

const ACTIONS: Column<Prompt> = {
  title: 'Actions',
  isActions: true,
  render: (prompt) => (
    <Button
      component={Link}
      to={`/prompts/${prompt.id}?tab=try`}
      size="compact-sm"
      variant="default"
      leftSection={<IconPlayerPlay size={13} />}
      aria-label={`Try ${titleOf(prompt)}`}
    >
      Try
    </Button>
  ),
};

const newPrompt = (
  <Button component={Link} to="/prompts/new" leftSection={<IconPlus size={16} />}>
    New prompt
  </Button>
);

function PromptsPage() {
  const usage = useRecentUsage('prompt');
  return (
    <MetadataList
      title="Prompts"
      text="Versioned prompts you call by ID from code."
      noun="prompt"
      path="/v1/prompt"
      columns={[...COLUMNS, ...usageColumns<Prompt>(usage), ACTIONS]}
      to="/prompts"
      actions={newPrompt}
      bulk={{
        refresh: QUERY_KEYS.prompts,
        nameOf: titleOf,
        consequence:
          'Programs can no longer run them, and their versions and labels are deleted. Conversations are kept.',
      }}
      empty={{
        title: 'No prompts yet',
        text: 'Write instructions with variables for what each run brings, then try them here.',
        action: newPrompt,
      }}
    />
  );
}

export { PromptsPage as Component };
