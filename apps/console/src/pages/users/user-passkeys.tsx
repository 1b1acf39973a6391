import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, Passkey, UserDetail } from '../../api/admin-records.js';
import { useHasRole } from '../../api/roles.js';
import { ListSection } from '../../ui/list-section.js';
import { confirm } from '../../ui/confirm.js';
import type { Column } from '../../ui/data-table.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

export function UserPasskeys({ user }: { user: UserDetail }) {
  const mayRemove = useHasRole('admin');
  const path = `/users/${user.id}/passkeys`;
  const passkeys = useQuery(resource<Items<Passkey>>(path));
  const remove = useAction((id: string) => send('DELETE', `${path}/${id}`), {
    refresh: [['users']],
    done: 'The passkey is removed.',
  });
  const askToRemove = ({ id, name }: Passkey) =>
    confirm({
      title: 'Remove this passkey?',
      text: (
        <>
          <bdi>{name}</bdi> can no longer sign <bdi>{user.name}</bdi> in. The user is informed by email. Sessions that
          are open go on until you revoke them.
        </>
      ),
      action: 'Remove',
      work: () => remove.mutateAsync(id),
    });
  const removal: Column<Passkey> = {
    title: 'Actions',
    isActions: true,
    render: (passkey) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Remove ${passkey.name}`}
        onClick={() => askToRemove(passkey)}
      >
        Remove
      </Button>
    ),
  };
  const columns: Column<Passkey>[] = [
    { title: 'Passkey', render: ({ name }) => <bdi>{name}</bdi> },
    { title: 'Stored', render: ({ backed_up }) => (backed_up ? 'Synced' : 'On one device') },
    { title: 'Created', render: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} none="Never" /> },
    ...(mayRemove ? [removal] : []),
  ];
  return (
    <ListSection
      title="Passkeys"
      columns={columns}
      query={passkeys}
      rowKey={({ id }) => id}
      empty={{ title: 'No passkeys', text: 'The user adds the first one with a setup link.' }}
    />
  );
}
