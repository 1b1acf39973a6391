import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Trigger } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { Time } from '../../ui/time.js';
import { TriggerStatus } from './trigger-status.js';
import { whenText } from './trigger-text.js';

const COLUMNS: readonly Column<Trigger>[] = [
  { title: 'Trigger', sort: 'name', render: (trigger) => <NamedCell name={trigger.name} text={whenText(trigger)} /> },
  { title: 'Status', render: (trigger) => <TriggerStatus trigger={trigger} /> },
  { title: 'Agent', render: ({ agent }) => agent },
  { title: 'Last fired', render: ({ last_fired_at }) => <Time at={last_fired_at} /> },
  { title: 'Next', render: ({ next_at }) => <Time at={next_at} none="—" /> },
];

const add = (
  <Button component={Link} to="/triggers/new" leftSection={<IconPlus size={16} />}>
    Add trigger
  </Button>
);

function TriggersPage() {
  return (
    <RecordList
      title="Triggers"
      text="Start runs of an agent by a schedule, or by signed posts of other systems."
      noun="trigger"
      path="/api/v1/triggers"
      columns={COLUMNS}
      to="/triggers"
      actions={add}
      bulk={{
        refresh: QUERY_KEYS.triggers,
        nameOf: ({ name }) => name,
        consequence: 'They start no more runs.',
      }}
      empty={{
        title: 'No triggers yet',
        text: 'Add a schedule, or an address to which another system posts.',
        action: add,
      }}
    />
  );
}

export { TriggersPage as Component };
