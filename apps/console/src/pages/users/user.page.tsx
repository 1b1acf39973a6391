import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { resource } from '../../api/api.js';
import type { UserDetail } from '../../api/records.js';
import { BackLink } from '../../ui/back-link.js';
import { Failure } from '../../ui/failure.js';
import { DataTable } from '../../ui/data-table.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { TrailLink } from '../../ui/trail-link.js';
import { deviceColumns } from '../profile/device-columns.js';
import { sessionColumns } from '../profile/session-columns.js';
import { clientColumns } from '../settings/client-columns.js';
import { keyColumns } from '../settings/key-columns.js';
import { AccessActions } from './access-actions.js';
import { UserBadges } from './user-badges.js';
import { UserForm } from './user-form.js';

function UserPage() {
  const { id = '' } = useParams();
  const user = useQuery(resource<UserDetail>(`/users/${encodeURIComponent(id)}`));
  return (
    <>
      <BackLink to="/access/users">Users</BackLink>
      {user.data ? (
        <Detail user={user.data} />
      ) : (
        <>
          <PageHeader title="User" />
          {user.error ? (
            <Failure error={user.error} retry={() => void user.refetch()} />
          ) : (
            <Skeleton height={220} radius="md" />
          )}
        </>
      )}
    </>
  );
}

/** What was read with the account. */
const part = <Item,>(items: Item[]) => ({ data: { items }, error: null, refetch: () => undefined });

function Detail({ user }: { user: UserDetail }) {
  return (
    <>
      <PageHeader
        title={user.name}
        text={user.email}
        badges={<UserBadges user={user} />}
        actions={
          <>
            <TrailLink label="What they did" filters={{ user: user.email }} />
            <TrailLink label="Who changed them" filters={{ resource: user.id }} />
          </>
        }
      />
      <UserForm key={user.updated_at} user={user} />
      <Section title="Sessions" flush>
        <DataTable
          label="Sessions"
          columns={sessionColumns}
          query={part(user.sessions)}
          rowKey={({ id }) => id}
          empty={{
            title: 'Not signed in anywhere',
            text: 'Each browser that signs in with this account is listed here.',
          }}
        />
      </Section>
      <Section title="Keys" flush>
        <DataTable
          label="Keys"
          columns={keyColumns()}
          query={part(user.keys)}
          rowKey={({ id }) => id}
          isFaded={({ revoked_at }) => revoked_at !== null}
          empty={{ title: 'No API key and no access token', text: 'People make their own, under Settings.' }}
        />
      </Section>
      <Section title="OAuth clients" flush>
        <DataTable
          label="OAuth clients"
          columns={clientColumns}
          query={part(user.clients)}
          rowKey={({ client_id }) => client_id}
          isFaded={({ revoked_at }) => revoked_at !== null}
          empty={{ title: 'No OAuth client', text: 'People make their own, under Settings.' }}
        />
      </Section>
      <Section title="Devices" flush>
        <DataTable
          label="Devices"
          columns={deviceColumns}
          query={part(user.devices)}
          rowKey={({ id }) => id}
          isFaded={({ revoked_at }) => revoked_at !== null}
          empty={{ title: 'No device is connected', text: 'People connect a desktop bridge in their profile.' }}
        />
      </Section>
      <AccessActions user={user} />
    </>
  );
}

export { UserPage as Component };
