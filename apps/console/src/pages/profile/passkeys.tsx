import { Alert, Badge, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import { ApiError } from '../../api/client.js';
import type { Items, Passkey } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { signalAuthenticators, type Signal } from '../../api/passkey-signals.js';
import { askName } from '../../ui/ask-name.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

const REFRESH = [['passkeys'], ['me']];

export function Passkeys() {
  const passkeys = useQuery(resource<Items<Passkey>>('/passkeys'));
  const add = useAction(addPasskey, { refresh: REFRESH, done: 'The passkey is added.' });
  const rename = useAction(({ id, name }: Pick<Passkey, 'id' | 'name'>) => send('PATCH', `/passkeys/${id}`, { name }), {
    refresh: REFRESH,
    done: 'The passkey is renamed.',
  });
  const remove = useAction(removePasskey, {
    refresh: REFRESH,
    done: 'The passkey is removed.',
  });

  const askForNew = () =>
    askName({
      title: 'Add a passkey',
      text: 'It is stored on this device, your phone or a security key.',
      label: 'Passkey name',
      action: 'Create passkey',
      work: (name) => add.mutateAsync(name),
    });
  const askForName = (passkey: Passkey) =>
    askName({
      title: 'Rename passkey',
      label: 'Passkey name',
      value: passkey.name,
      action: 'Rename',
      work: (name) => rename.mutateAsync({ id: passkey.id, name }),
    });
  const askToRemove = ({ id, name }: Passkey) =>
    confirm({
      title: 'Remove this passkey?',
      text: (
        <>
          <bdi>{name}</bdi> can no longer sign you in. Delete it on its device too.
        </>
      ),
      action: 'Remove',
      work: () => remove.mutateAsync(id),
    });

  const isOnly = passkeys.data?.items.length === 1;
  const columns: Column<Passkey>[] = [
    {
      title: 'Name',
      render: ({ name, backed_up }) => (
        <Group gap={8}>
          <Text size="sm" fw={550}>
            <bdi>{name}</bdi>
          </Text>
          <Badge color="gray">{backed_up ? 'Synced' : 'This device only'}</Badge>
        </Group>
      ),
    },
    { title: 'Added', render: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} none="Never" /> },
    {
      title: 'Actions',
      isActions: true,
      render: (passkey) => (
        <>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => askForName(passkey)}
            aria-label={`Rename ${passkey.name}`}
          >
            Rename
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => askToRemove(passkey)}
            disabled={isOnly}
            title={isOnly ? 'Your only passkey cannot be removed.' : undefined}
            aria-label={`Remove ${passkey.name}`}
          >
            Remove
          </Button>
        </>
      ),
    },
  ];
  const addButton = (
    <Button size="xs" variant="default" leftSection={<IconPlus size={15} />} onClick={askForNew}>
      Add passkey
    </Button>
  );
  return (
    <Section title="Passkeys" text="Sign in without a password." flush actions={!isOnly && addButton}>
      {isOnly && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} mx={18} mb="md" py="xs">
          <Group justify="space-between">
            This is your only passkey. Add another in case you lose this device.
            {addButton}
          </Group>
        </Alert>
      )}
      <DataTable
        label="Your passkeys"
        columns={columns}
        query={passkeys}
        rowKey={({ id }) => id}
        empty={{ title: 'No passkeys yet', text: 'You signed in with a recovery link. Add a passkey now.' }}
      />
    </Section>
  );
}

/** Passkey registration (WebAuthn §7.1) for a signed-in user. */
async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { ceremony, options } = await send<{
    ceremony: string;
    options: Parameters<typeof startRegistration>[0]['optionsJSON'];
  }>('POST', '/passkey/register/start', {});
  const response = await startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    const text = isKnown ? 'That device already keeps a passkey of yours.' : 'No passkey was created.';
    throw new ApiError(0, 'not_enrolled', text);
  });
  const { signals } = await send<{ signals: Signal[] }>('POST', '/passkey/register/finish', {
    ceremony,
    name,
    response,
  });
  signalAuthenticators(signals);
}

async function removePasskey(id: string): Promise<void> {
  await send('DELETE', `/passkeys/${id}`);
  const { signals } = await send<AdminAnswers['listPasskeys']>('GET', '/passkeys');
  signalAuthenticators(signals);
}
