import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { resource } from '../../api/api.js';
import type { Me } from '../../api/admin-records.js';
import { PageHeader } from '../../ui/page-header.js';
import { useUrlState } from '../../ui/use-url-state.js';
import classes from './settings.module.css';
import { Appearance } from './appearance.js';
import { Applications } from './applications.js';
import { Clients } from './clients.js';
import { Keys } from './keys.js';
import { SigningKeys } from './signing-keys.js';

const TABS = { keys: 'API keys', tokens: 'Access tokens', clients: 'OAuth clients', appearance: 'Appearance' };
/** The tabs of administrators. */
const ADMIN_TABS = { ...TABS, 'signing-keys': 'Signing keys' };

function SettingsPage() {
  const me = useQuery(resource<Me>('/me'));
  const { values, set } = useUrlState(['tab']);
  const tab = values.tab || 'keys';
  const list = useRef<HTMLDivElement>(null);
  // Scrolls the selected tab into view, because not all tabs fit on a phone.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [tab]);
  return (
    <>
      <PageHeader title="Settings" text="API credentials and appearance." />
      <Tabs value={tab} onChange={(next) => set({ tab: next === 'keys' ? null : next })} keepMounted={false}>
        <Tabs.List mb="lg" className={classes.tabs} ref={list}>
          {Object.entries(me.data?.is_admin === true ? ADMIN_TABS : TABS).map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {me.data && (
          <>
            <Tabs.Panel value="keys">
              <Keys kind="api_key" me={me.data} />
            </Tabs.Panel>
            <Tabs.Panel value="tokens">
              <Keys kind="pat" me={me.data} />
            </Tabs.Panel>
            <Tabs.Panel value="clients">
              <Clients me={me.data} />
              {me.data.is_admin && <Applications />}
            </Tabs.Panel>
            {me.data.is_admin && (
              <Tabs.Panel value="signing-keys">
                <SigningKeys />
              </Tabs.Panel>
            )}
          </>
        )}
        <Tabs.Panel value="appearance">
          <Appearance />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export { SettingsPage as Component };
