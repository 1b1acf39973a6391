import { Badge, Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Items, SigningKey } from '../../api/records.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';

export function SigningKeys() {
  const keys = useQuery(resource<Items<SigningKey>>('/signing-keys'));
  return (
    <Section
      title="Signing keys"
      text="Public halves of the keys that sign tokens. An operator rotates them: millwright signing-keys rotate."
      flush
    >
      <DataTable
        label="Signing keys"
        columns={[
          {
            title: 'Key',
            render: ({ kid }: SigningKey) => <Code style={{ overflowWrap: 'anywhere' }}>{kid}</Code>,
          },
          { title: 'Service', render: ({ issuer }) => issuer },
          { title: 'Since', render: ({ created_at }) => <Time at={created_at} /> },
          {
            title: 'State',
            render: ({ current, retired_at }) => {
              if (current) return <Badge>Signs</Badge>;
              return <Badge color="gray">{retired_at === null ? 'Verifies' : 'Retired'}</Badge>;
            },
          },
        ]}
        query={keys}
        rowKey={({ kid, issuer }) => `${issuer} ${kid}`}
        isFaded={({ retired_at }) => retired_at !== null}
        empty={{ title: 'No key yet', text: 'Each service makes its key known when it starts.' }}
      />
    </Section>
  );
}
