import { Alert, Button, Group } from '@mantine/core';
import { IconShieldPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Me, PlatformAdminRequest, UserDetail } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { useHasRole } from '../../api/roles.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Section } from '../../ui/section.js';
import { exactTime, Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

const PATH = '/platform-admin-requests';
const REFRESH = [['platform-admin-requests'], ['users']];

/** Pending requests. Only platform admins read them, and only if the installation lets platform admins appoint other platform admins. */
function useRequests() {
  const isPlatformAdmin = useHasRole('platform_admin');
  const query = useQuery({
    ...resource<AdminAnswers['listPlatformAdminRequests']>(PATH),
    enabled: isPlatformAdmin,
  });
  return { query, isOffered: isPlatformAdmin && query.data?.enabled === true };
}

/** The requests that wait for a second platform admin. */
export function PlatformAdminRequests() {
  const { query, isOffered } = useRequests();
  if (!isOffered || query.data?.items.length === 0) return null;
  const columns: Column<PlatformAdminRequest>[] = [
    { title: 'Account', render: ({ user }) => <NamedCell name={user.name} text={user.email} /> },
    { title: 'Requested by', render: ({ requested_by: by }) => <NamedCell name={by.name} text={by.email} /> },
    { title: 'Expires', render: ({ expires_at }) => <Time at={expires_at} /> },
    { title: 'Decision', isActions: true, render: (request) => <Decision request={request} /> },
  ];
  return (
    <Section
      title="Platform administrator requests"
      text="A second platform administrator confirms each request within 24 hours."
      flush
    >
      <DataTable
        label="Platform administrator requests"
        columns={columns}
        query={query}
        rowKey={({ id }) => id}
        empty={{ title: 'No requests' }}
      />
    </Section>
  );
}

/** Buttons to confirm or refuse a request. Every platform admin may refuse; every platform admin except the requester may confirm. */
function Decision({ request }: { request: PlatformAdminRequest }) {
  const me = useQuery(resource<Me>('/me')).data?.user_id;
  const { user, requested_by: by } = request;
  const decide = (act: 'confirm' | 'refuse') => send('POST', `${PATH}/${request.id}/${act}`);
  const grant = useAction(() => decide('confirm'), {
    refresh: REFRESH,
    done: 'The account is a platform administrator.',
  });
  const refuse = useAction(() => decide('refuse'), { refresh: REFRESH, done: 'The request is refused.' });
  const isOwn = by.id === me;
  const askToGrant = () =>
    confirm({
      title: 'Make this account a platform administrator?',
      text: (
        <>
          <bdi>{user.name}</bdi> ({user.email}) can then administer every project and every account, also yours.
          Requested by <bdi>{by.name}</bdi>. Every platform administrator gets a message.
        </>
      ),
      action: 'Confirm',
      work: () => grant.mutateAsync(),
    });
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {!isOwn && (
        <Button size="compact-sm" aria-label={`Confirm ${user.name}`} onClick={askToGrant} loading={grant.isPending}>
          Confirm
        </Button>
      )}
      <Button
        variant="default"
        size="compact-sm"
        aria-label={`${isOwn ? 'Withdraw' : 'Refuse'} ${user.name}`}
        onClick={() => refuse.mutate()}
        loading={refuse.isPending}
      >
        {isOwn ? 'Withdraw' : 'Refuse'}
      </Button>
    </Group>
  );
}

/** The account's pending request, or the button that creates a request, for the page of a user. */
export function PlatformAdminRequestOf({ user }: { user: UserDetail }) {
  const { query, isOffered } = useRequests();
  const me = useQuery(resource<Me>('/me')).data?.user_id;
  const request = useAction(() => send<PlatformAdminRequest>('POST', `/users/${user.id}/platform-admin`), {
    refresh: REFRESH,
    done: ({ expires_at }) => `Requested. Another platform administrator must confirm it by ${exactTime(expires_at)}.`,
  });
  if (!isOffered || user.platform_admin || user.status !== 'active' || user.id === me) return null;
  const pending = query.data?.items.find((item) => item.user.id === user.id);
  if (pending) {
    return (
      <Alert icon={<IconShieldPlus size={18} />} mb="lg">
        <Group justify="space-between">
          <span>
            <bdi>{pending.requested_by.name}</bdi> requested that this account becomes a platform administrator. The
            request expires {exactTime(pending.expires_at)}.
          </span>
          <Decision request={pending} />
        </Group>
      </Alert>
    );
  }
  const ask = () =>
    confirm({
      title: 'Request a platform administrator?',
      text: (
        <>
          <bdi>{user.name}</bdi> ({user.email}) becomes one when another platform administrator confirms it within 24
          hours. Every platform administrator gets a message.
        </>
      ),
      action: 'Request',
      tone: 'plain',
      work: () => request.mutateAsync(),
    });
  return (
    <Section
      title="Platform administrator"
      text="Two platform administrators make another one: one requests it, a second one confirms it."
      actions={
        <Button variant="default" onClick={ask}>
          Request platform administrator
        </Button>
      }
    >
      {null}
    </Section>
  );
}
