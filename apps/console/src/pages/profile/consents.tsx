import { Badge, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Consent, Items } from '../../api/records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

export function Consents() {
  const consents = useQuery(resource<Items<Consent>>('/consents'));
  const withdraw = useAction((id: string) => send('DELETE', `/consents/${id}`), {
    refresh: [['consents']],
    done: 'The app has no access any more.',
  });
  const askToWithdraw = ({ id, client_name }: Consent) =>
    confirm({
      title: 'Withdraw access?',
      text: (
        <>
          <bdi>{client_name}</bdi> can no longer act for you, and has to ask again.
        </>
      ),
      action: 'Withdraw',
      work: () => withdraw.mutateAsync(id),
    });
  return (
    <Section title="Apps with access" text="Programs that you let act for you." flush>
      <DataTable
        label="Apps with access"
        columns={[
          {
            title: 'App',
            render: ({ client_name, client_host, client_id }: Consent) => (
              <div>
                <Text size="sm" fw={550}>
                  <bdi>{client_name}</bdi>
                </Text>
                <Text size="xs" c="dimmed">
                  {client_host ?? client_id}
                </Text>
              </div>
            ),
          },
          {
            title: 'Scopes',
            render: ({ scopes }) => (
              <Group gap={4}>
                {scopes.map((scope) => (
                  <Badge key={scope} color="gray">
                    {scope}
                  </Badge>
                ))}
              </Group>
            ),
          },
          { title: 'Since', render: ({ granted_at }) => <Time at={granted_at} /> },
          {
            title: 'Actions',
            isActions: true,
            render: (consent) => (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => askToWithdraw(consent)}
                aria-label={`Withdraw access of ${consent.client_name}`}
              >
                Withdraw
              </Button>
            ),
          },
        ]}
        query={consents}
        rowKey={({ id }) => id}
        empty={{ title: 'No app has access', text: 'Apps that you sign in to with this account are listed here.' }}
      />
    </Section>
  );
}
