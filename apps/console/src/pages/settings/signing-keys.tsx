import { Badge, Button, Code, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, Me, SigningKey } from '../../api/admin-records.js';
import { CopyIcon } from '../../ui/copy.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

const COMMAND = 'millwright admin signing-keys rotate';

export function SigningKeys() {
  const keys = useQuery(resource<Items<SigningKey>>('/signing-keys'));
  const me = useQuery(resource<Me>('/me'));
  const mayRevoke = me.data?.roles.includes('platform_admin') === true;
  const revoke = useAction((kid: string) => send('POST', `/signing-keys/${kid}/revoke`), {
    refresh: [['signing-keys']],
    done: 'The key is revoked.',
  });
  const askToRevoke = (kid: string, issuer: string) =>
    confirm({
      title: 'Revoke this signing key?',
      text: `Use this when the private key may have leaked. All tokens of ${issuer} that it signed are refused within ten seconds. Then run ${COMMAND} --issuer ${issuer}, so that the service has a key in its file again.`,
      action: 'Revoke key',
      work: () => revoke.mutateAsync(kid),
    });
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
            render: ({ current, retired_at, revoked_at }) => {
              if (revoked_at !== null) return <Badge color="red">Revoked</Badge>;
              if (current) return <Badge>Active</Badge>;
              return <Badge color="gray">{retired_at === null ? 'Verifies only' : 'Retired'}</Badge>;
            },
          },
          {
            title: 'Actions',
            isActions: true,
            render: ({ kid, issuer, revoked_at }) =>
              mayRevoke &&
              revoked_at === null && (
                <Button size="compact-sm" variant="default" color="red" onClick={() => askToRevoke(kid, issuer)}>
                  Revoke
                </Button>
              ),
          },
        ]}
        query={keys}
        rowKey={({ kid, issuer }) => `${issuer} ${kid}`}
        isFaded={({ retired_at, revoked_at }) => retired_at !== null || revoked_at !== null}
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
