import { Button } from '@mantine/core';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Prompt } from '../../api/prompt-records.js';
import type { Column } from '../../ui/data-table.js';
import { MetadataList } from '../../ui/metadata-list.js';
import { NamedCell } from '../../ui/named-cell.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { TagList } from '../../ui/tag-list.js';
import { Time } from '../../ui/time.js';
import { titleOf } from './prompt-fields.js';

const COLUMNS: Column<Prompt>[] = [
  {
    title: 'Prompt',
    render: (prompt) => <NamedCell name={titleOf(prompt)} text={prompt.metadata.description} />,
  },
  { title: 'Status', render: ({ metadata }) => <StatusBadge status={metadata.status} /> },
  { title: 'Version', render: ({ metadata }) => metadata.version.toLocaleString('en') },
  { title: 'Tags', render: ({ metadata }) => <TagList tags={metadata.tag} /> },
  { title: 'Updated', render: ({ metadata }) => <Time at={metadata.updated} /> },
  {
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
  },
];

const newPrompt = (
  <Button component={Link} to="/prompts/new" leftSection={<IconPlus size={16} />}>
    New prompt
  </Button>
);

function PromptsPage() {
  return (
    <MetadataList
      title="Prompts"
      text="Versioned templates that programs run by their ID."
      noun="prompt"
      path="/v1/prompt"
      columns={COLUMNS}
      to="/prompts"
      actions={newPrompt}
      empty={{
        title: 'No prompts yet',
        text: 'Write instructions with variables for what each run brings, then try them here.',
        action: newPrompt,
      }}
    />
  );
}

export { PromptsPage as Component };
