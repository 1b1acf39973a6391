import { Badge, Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Items, SigningKey } from '../../api/admin-records.js';
import { CopyIcon } from '../../ui/copy.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';

const COMMAND = 'millwright signing-keys rotate';

export function SigningKeys() {
  const keys = useQuery(resource<Items<SigningKey>>('/signing-keys'));
  return (
    <Section
      title="Signing keys"
      text={
        <>
          Public halves of the keys that sign tokens. To rotate them, run{' '}
          <span style={{ display: 'inline-flex', alignItems: 'center', verticalAlign: 'middle', whiteSpace: 'nowrap' }}>
            <Code>{COMMAND}</Code> <CopyIcon value={COMMAND} label="command" />
          </span>
        </>
      }
      flush
    >
      <DataTable
        label="Signing keys"
        columns={[
          { title: 'Key ID', render: ({ kid }: SigningKey) => <KeyId kid={kid} /> },
          { title: 'Service', render: ({ issuer }) => issuer },
          { title: 'Created', render: ({ created_at }) => <Time at={created_at} /> },
          {
            title: 'Status',
            render: ({ current, retired_at }) => {
              if (current) return <Badge>Active</Badge>;
              return <Badge color="gray">{retired_at === null ? 'Verifies only' : 'Retired'}</Badge>;
            },
          },
        ]}
        query={keys}
        rowKey={({ kid, issuer }) => `${issuer} ${kid}`}
        isFaded={({ retired_at }) => retired_at !== null}
        empty={{ title: 'No signing keys yet', text: 'Each service publishes its key when it starts.' }}
      />
    </Section>
  );
}

function KeyId({ kid }: { kid: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code title={kid}>{kid.slice(0, 12)}…</Code>
      <CopyIcon value={kid} label="key ID" />
    </Group>
  );
}
