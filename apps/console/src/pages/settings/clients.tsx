import { Button, Code, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resource, send } from '../../api/api.js';
import type { Client, IssuedClient, Items, Me } from '../../api/admin-records.js';
import { confirm } from '../../ui/confirm.js';
import { CopyIcon } from '../../ui/copy.js';
import { DataTable } from '../../ui/data-table.js';
import { Facts } from '../../ui/facts.js';
import { Section } from '../../ui/section.js';
import { showSecret } from '../../ui/show-secret.js';
import { useAction } from '../../ui/use-action.js';
import { askOverlap } from './ask-overlap.js';
import { clientColumns } from './client-columns.js';
import { ClientForm } from './client-form.js';
import { RevokeButton } from './revoke-button.js';

export function Clients({ me }: { me: Me }) {
  const [edited, setEdited] = useState<Client | 'new' | undefined>();
  const clients = useQuery(resource<Items<Client>>('/clients'));
  const rotate = useAction(
    ({ client_id, overlap_hours }: { client_id: string; overlap_hours: number }) =>
      send<IssuedClient>('POST', `/clients/${client_id}/rotate`, { overlap_hours }),
    { refresh: [['clients']], onDone: showClient },
  );
  const revoke = useAction((client_id: string) => send('DELETE', `/clients/${client_id}`), {
    refresh: [['clients']],
    done: 'The client is revoked.',
  });
  const askToRotate = ({ client_id, name }: Client) =>
    askOverlap({ name, kind: 'secret', work: ({ overlap_hours }) => rotate.mutateAsync({ client_id, overlap_hours }) });
  const askToRevoke = ({ client_id, name }: Client) =>
    confirm({
      title: 'Revoke this client?',
      text: (
        <>
          <bdi>{name}</bdi> gets no new tokens, and its current ones are refused. This cannot be undone.
        </>
      ),
      action: 'Revoke client',
      work: () => revoke.mutateAsync(client_id),
    });
  return (
    <Section
      title="OAuth clients"
      text="Programs that get access tokens for the runtime API."
      flush
      actions={
        <Button size="xs" leftSection={<IconPlus size={15} />} onClick={() => setEdited('new')}>
          Create client
        </Button>
      }
    >
      <DataTable
        label="OAuth clients"
        columns={[
          ...clientColumns,
          {
            title: 'Actions',
            isActions: true,
            render: (client: Client) =>
              client.revoked_at === null && (
                <>
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => setEdited(client)}
                    aria-label={`Edit ${client.name}`}
                  >
                    Edit
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => askToRotate(client)}
                    aria-label={`Rotate ${client.name}`}
                  >
                    Rotate
                  </Button>
                  <RevokeButton name={client.name} onClick={() => askToRevoke(client)} />
                </>
              ),
          },
        ]}
        query={clients}
        rowKey={({ client_id }) => client_id}
        isFaded={({ revoked_at }) => revoked_at !== null}
        empty={{ title: 'No OAuth clients yet', text: 'Create one for each program that talks to agents.' }}
      />
      <ClientForm me={me} edited={edited} close={() => setEdited(undefined)} onIssued={showClient} />
    </Section>
  );
}

function showClient({ name, client_id, client_secret }: IssuedClient): void {
  showSecret({
    title: 'Your new client secret',
    secret: client_secret,
    copy: 'Copy secret',
    text: (
      <>
        <bdi>{name}</bdi> authenticates with this secret to get tokens.
      </>
    ),
    beside: (
      <Facts
        facts={[
          [
            'Client ID',
            <Group key="id" gap={4} wrap="nowrap">
              <Code style={{ overflowWrap: 'anywhere' }}>{client_id}</Code>
              <CopyIcon value={client_id} label="client ID" />
            </Group>,
          ],
        ]}
      />
    ),
  });
}
