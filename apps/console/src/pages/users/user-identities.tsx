import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, SsoIdentity, UserDetail } from '../../api/admin-records.js';
import { useHasRole } from '../../api/roles.js';
import { ListSection } from '../../ui/list-section.js';
import { confirm } from '../../ui/confirm.js';
import type { Column } from '../../ui/data-table.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

/** The identity providers that sign the user in; renders nothing when there are none. */
export function UserIdentities({ user }: { user: UserDetail }) {
  const mayUnlink = useHasRole('admin');
  const path = `/users/${user.id}/identities`;
  const identities = useQuery(resource<Items<SsoIdentity>>(path));
  const unlink = useAction((id: string) => send('DELETE', `${path}/${id}`), {
    refresh: [['users']],
    done: 'The identity is unlinked.',
  });
  if (identities.data?.items.length === 0) return null;
  const askToUnlink = ({ id, issuer }: SsoIdentity) =>
    confirm({
      title: 'Unlink this identity?',
      text: (
        <>
          <bdi>{user.name}</bdi> is signed out of the sessions that {issuer} opened. Where {issuer} may link accounts by
          their address, or provisions this one, the next sign-in links it again.
        </>
      ),
      action: 'Unlink',
      work: () => unlink.mutateAsync(id),
    });
  const removal: Column<SsoIdentity> = {
    title: 'Unlink',
    isActions: true,
    render: (identity) => (
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`Unlink ${identity.issuer}`}
        onClick={() => askToUnlink(identity)}
      >
        Unlink
      </Button>
    ),
  };
  const columns: Column<SsoIdentity>[] = [
    { title: 'Identity provider', render: ({ issuer }) => <bdi>{issuer}</bdi> },
    { title: 'Identifier there', render: ({ subject }) => <bdi>{subject}</bdi> },
    { title: 'Linked', render: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} /> },
    ...(mayUnlink ? [removal] : []),
  ];
  return (
    <ListSection
      title="Single sign-on"
      columns={columns}
      query={identities}
      rowKey={({ id }) => id}
      empty={{ title: 'Not linked' }}
    />
  );
}
