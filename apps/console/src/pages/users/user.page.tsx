import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { resource } from '../../api/api.js';
import type { UserDetail } from '../../api/admin-records.js';
import { ListSection } from '../../ui/list-section.js';
import { BackLink } from '../../ui/back-link.js';
import { Failure } from '../../ui/failure.js';
import { PageHeader } from '../../ui/page-header.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { ConsentList } from '../profile/consents.js';
import { deviceColumns } from '../profile/device-columns.js';
import { sessionColumns } from '../profile/session-columns.js';
import { clientColumns } from '../settings/client-columns.js';
import { keyColumns } from '../settings/key-columns.js';
import { AccessActions } from './access-actions.js';
import { AccountNotice } from './account-notice.js';
import { PlatformAdminRequestOf } from './platform-admin-requests.js';
import { AccountStatus, RoleBadge } from '../../ui/user-badges.js';
import { SectionsShape } from '../../ui/loading.js';
import { UserForm } from './user-form.js';
import { UserIdentities } from './user-identities.js';
import { UserPasskeys } from './user-passkeys.js';

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
            <SectionsShape sections={3} />
          )}
        </>
      )}
    </>
  );
}

/** Wraps items that the page already has as a finished query, because `DataTable` accepts only a query. */
const part = <Item,>(items: Item[]) => ({ data: { items }, error: null, refetch: () => undefined });

const isRevoked = ({ revoked_at }: { revoked_at: string | null }) => revoked_at !== null;

function Detail({ user }: { user: UserDetail }) {
  return (
    <>
      <PageHeader
        title={user.name}
        text={user.email}
        badges={
          <>
            <RoleBadge user={user} />
            <AccountStatus account={user} />
          </>
        }
        actions={
          <>
            <AuditLogLink kind="actions" filters={{ user: user.email }} />
            <AuditLogLink filters={{ resource: user.id }} />
          </>
        }
      />
      <AccountNotice user={user} />
      <UserForm key={user.updated_at} user={user} />
      <PlatformAdminRequestOf user={user} />
      <UserPasskeys user={user} />
      <UserIdentities user={user} />
      <ListSection
        title="Sessions"
        columns={sessionColumns}
        query={part(user.sessions)}
        rowKey={({ id }) => id}
        empty={{ title: 'Not signed in' }}
      />
      <ListSection
        title="Keys"
        columns={keyColumns()}
        query={part(user.keys)}
        rowKey={({ id }) => id}
        isFaded={isRevoked}
        empty={{ title: 'No API keys or access tokens', text: 'Users create these in Settings.' }}
      />
      <ListSection
        title="OAuth clients"
        columns={clientColumns}
        query={part(user.clients)}
        rowKey={({ client_id }) => client_id}
        isFaded={isRevoked}
        empty={{ title: 'No OAuth clients', text: 'Users create these in Settings.' }}
      />
      <ListSection
        title="Devices"
        columns={deviceColumns}
        query={part(user.devices)}
        rowKey={({ id }) => id}
        isFaded={isRevoked}
        empty={{ title: 'No devices', text: 'Users connect these in their profile.' }}
      />
      <ConsentList
        text="Apps this user allowed to act for them."
        query={part(user.consents)}
        path={`/users/${user.id}/consents`}
        refresh={['users']}
      />
      <AccessActions user={user} />
    </>
  );
}

export { UserPage as Component };
