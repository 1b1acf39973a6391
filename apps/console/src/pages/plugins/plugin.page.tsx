import { Alert, Badge, Code, NativeSelect, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Plugin } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { useSave } from '../../ui/use-save.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { Details } from '../record/details.js';
import { SaveActions } from '../record/form-actions.js';
import { RecordColumns } from '../record/record-columns.js';
import { configOf, faultsOf, valuesOf } from './config-form.js';
import { ConfigInputs } from './config-inputs.js';
import { NameInputs } from './name-inputs.js';
import { Reachable, TYPES } from './plugin-labels.js';
import { PluginRuleSection } from './plugin-rule.js';

function PluginPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/plugins/${encodeURIComponent(id)}`;
  const plugin = useQuery(areaRecord<Plugin>('platform', path));
  return (
    <RecordPage back={{ to: '/build/plugins', label: 'Plugins' }} title="Plugin" query={plugin}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

function Detail({ path, found }: { path: string; found: Versioned<Plugin> }) {
  const { record: plugin, etag } = found;
  return (
    <>
      <PageHeader
        title={plugin.name}
        text={plugin.description}
        badges={
          <>
            <StatusBadge status={plugin.status} />
            <Badge color="gray">{TYPES[plugin.type].label}</Badge>
          </>
        }
        actions={
          <>
            <CurlButton
              area="platform"
              calls={[
                { title: 'Get the plugin', path },
                { title: 'Get its settings', path: `${path}/config` },
                { title: 'Deactivate the plugin', method: 'PATCH', path, body: { status: 'inactive' } },
              ]}
            />
            <AuditLogLink filters={{ resource: plugin.id }} />
          </>
        }
      />
      {plugin.reachable === false && plugin.last_error !== null && (
        <Alert color="red" py="xs" mb="lg" title="Unreachable">
          <bdi>{plugin.last_error}</bdi>
        </Alert>
      )}
      <RecordColumns
        aside={
          <Details
            record={plugin}
            facts={[
              ['Health', <Reachable key="health" plugin={plugin} />],
              ['Last checked', <Time key="checked" at={plugin.last_checked_at} none="Never" />],
              ['Version', plugin.version],
            ]}
          />
        }
      >
        <PluginForm key={etag} path={path} plugin={plugin} etag={etag} />
        {plugin.type === 'tool' && <PluginRuleSection path={path} />}
        <DeleteSection
          noun="plugin"
          name={plugin.name}
          consequence="Agents can no longer use this plugin, and its secrets are deleted."
          verb="Uninstall"
          work={() => askArea('platform', 'DELETE', path)}
          refresh={[...QUERY_KEYS.plugins, ['platform', 'api', 'v1', 'agents']]}
          to="/build/plugins"
        />
      </RecordColumns>
    </>
  );
}

function PluginForm({ path, plugin, etag }: { path: string; plugin: Plugin; etag: string }) {
  const { name, description, status, type, config_schema: schema } = plugin;
  const [isTried, setTried] = useState(false);
  const form = useForm({
    initialValues: { name, description, status, config: valuesOf(type, schema, plugin.config) },
    validate: {
      name: (text) => (text.trim() === '' ? 'Enter a name. Models see it.' : null),
      config: (config) => Object.values(faultsOf(type, schema, config))[0] ?? null,
    },
  });
  useUnsaved(form.isDirty());
  const save = useSave(
    async ({ config, ...fields }: typeof form.values, seen) => {
      const settings = configOf(type, schema, config);
      const changes = { ...fields, name: fields.name.trim() };
      const isOneEmptied = Object.keys(plugin.config).some((setting) => !(setting in settings));
      if (!isOneEmptied) {
        await askArea('platform', 'PATCH', path, { ...changes, config: settings }, matching(seen));
        return;
      }
      // PATCH keeps settings that are left out, so only PUT can clear a setting.
      await askArea('platform', 'PUT', `${path}/config`, settings, matching(seen));
      await askArea('platform', 'PATCH', path, changes);
    },
    { refresh: QUERY_KEYS.plugins, done: 'Saved. Applies from the next call.' },
  );
  const submit = form.onSubmit(
    (values) => save.mutate({ values, etag }),
    () => setTried(true),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Section title="Details">
        <Stack gap="md">
          <NameInputs form={form} />
          <NativeSelect
            label="Status"
            data={[
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive (not used by agents)' },
            ]}
            {...form.getInputProps('status')}
          />
        </Stack>
      </Section>
      <Section title="Settings" text={TYPES[type].text}>
        <ConfigInputs
          type={type}
          schema={schema}
          values={form.values.config}
          onChange={(config) => form.setFieldValue('config', config)}
          faults={isTried ? faultsOf(type, schema, form.values.config) : {}}
        />
        {Object.keys(schema).length > 0 && (
          <details style={{ marginTop: 16 }}>
            <summary>
              <Text span size="sm">
                Custom settings schema
              </Text>
            </summary>
            <Code block mt="xs">
              {JSON.stringify(schema, null, 2)}
            </Code>
          </details>
        )}
      </Section>
      <SaveActions isDirty={form.isDirty()} isSaving={save.isPending} onDiscard={form.reset} />
    </form>
  );
}

export { PluginPage as Component };
