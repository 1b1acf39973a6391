import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Me } from '../../api/admin-records.js';
import { PageHeader } from '../../ui/page-header.js';
import { Account } from './account.js';
import { Connections } from './connections.js';
import { Consents } from './consents.js';
import { Devices } from './devices.js';
import { ExpiringKeys } from './expiring-keys.js';
import { OwnBudgets } from './own-budgets.js';
import { Passkeys } from './passkeys.js';
import { SecurityActivity } from './security-activity.js';
import { Sessions } from './sessions.js';

function ProfilePage() {
  const me = useQuery(resource<Me>('/me'));
  return (
    <>
      <PageHeader title="Profile" text="Your account, sign-in methods and connected apps." />
      {me.data?.roles.includes('user') && <ExpiringKeys />}
      {me.data && <Account me={me.data} />}
      <Passkeys />
      <Sessions />
      <SecurityActivity />
      {me.data?.roles.includes('user') && (
        <>
          <OwnBudgets />
          <Devices />
          <Consents />
          <Connections me={me.data} />
        </>
      )}
    </>
  );
}

export { ProfilePage as Component };
