import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Webhook } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { Time } from '../../ui/time.js';
import { typesText } from './event-types.js';
import { WebhookStatus } from './webhook-status.js';

const COLUMNS: readonly Column<Webhook>[] = [
  { title: 'Webhook', sort: 'name', render: ({ name, url }) => <NamedCell name={name} text={url} /> },
  { title: 'Status', render: (webhook) => <WebhookStatus webhook={webhook} /> },
  { title: 'Events', render: ({ event_types }) => typesText(event_types) },
  { title: 'Waiting', render: ({ waiting }) => waiting.toLocaleString('en'), align: 'right' },
  { title: 'Created', sort: 'created_at', render: ({ created_at }) => <Time at={created_at} /> },
];

const add = (
  <Button component={Link} to="/webhooks/new" leftSection={<IconPlus size={16} />}>
    Add webhook
  </Button>
);

function WebhooksPage() {
  return (
    <RecordList
      title="Webhooks"
      text="Send events of this project to your own servers, as signed posts."
      noun="webhook"
      path="/api/v1/webhooks"
      columns={COLUMNS}
      to="/webhooks"
      actions={add}
      bulk={{
        refresh: QUERY_KEYS.webhooks,
        nameOf: ({ name }) => name,
        consequence: 'They receive no more events.',
      }}
      empty={{
        title: 'No webhooks yet',
        text: 'Add the address of a server that should receive the events of runs.',
        action: add,
      }}
    />
  );
}

export { WebhooksPage as Component };
