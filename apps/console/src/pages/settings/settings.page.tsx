import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Me } from '../../api/records.js';
import { PageHeader } from '../../ui/page-header.js';
import { useUrlState } from '../../ui/use-url-state.js';
import classes from './settings.module.css';
import { Appearance } from './appearance.js';
import { Clients } from './clients.js';
import { Keys } from './keys.js';

function SettingsPage() {
  const me = useQuery(resource<Me>('/me'));
  const { values, set } = useUrlState(['tab']);
  return (
    <>
      <PageHeader title="Settings" text="What your programs sign in with, and how the console looks." />
      <Tabs
        value={values.tab || 'keys'}
        onChange={(tab) => set({ tab: tab === 'keys' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="lg" className={classes.tabs}>
          <Tabs.Tab value="keys">API keys</Tabs.Tab>
          <Tabs.Tab value="tokens">Personal access tokens</Tabs.Tab>
          <Tabs.Tab value="clients">OAuth clients</Tabs.Tab>
          <Tabs.Tab value="appearance">Appearance</Tabs.Tab>
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
            </Tabs.Panel>
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
