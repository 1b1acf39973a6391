import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ContentItem } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { TagList } from '../../ui/tag-list.js';
import { tagActions } from '../../ui/tag-actions.js';
import { Time } from '../../ui/time.js';
import { FindContent } from './find-content.js';

const COLUMNS: Column<ContentItem>[] = [
  { title: 'Title', sort: 'title', render: ({ title, body }) => <NamedCell name={title} text={body.slice(0, 200)} /> },
  { title: 'Tags', render: ({ tags }) => <TagList tags={tags} /> },
  { title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Updated', sort: 'updated_at', render: ({ updated_at }) => <Time at={updated_at} /> },
];

const newItem = (
  <Button component={Link} to="/build/content/new" leftSection={<IconPlus size={16} />}>
    New item
  </Button>
);

function ContentPage() {
  return (
    <RecordList
      title="Content"
      text="Knowledge your agents can search, matched by tag."
      noun="content item"
      path="/api/v1/content"
      nameField="title"
      columns={COLUMNS}
      to="/build/content"
      actions={newItem}
      bulk={{
        refresh: QUERY_KEYS.content,
        nameOf: ({ title }) => title,
        consequence: 'Agents no longer find them.',
        more: (to) =>
          tagActions<ContentItem, Pick<ContentItem, 'tags'>>({
            ...{ area: 'platform', method: 'PATCH', to },
            tagsOf: ({ tags }) => tags,
            change: (tags) => ({ tags }),
          }),
      }}
      empty={{
        title: 'No content yet',
        text: 'Add text that agents can search, and give it a tag that they use.',
        action: newItem,
      }}
    >
      <FindContent />
    </RecordList>
  );
}

export { ContentPage as Component };
