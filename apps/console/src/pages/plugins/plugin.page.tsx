import { Badge, Button, Code, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Plugin } from '../../api/platform-records.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { Facts } from '../../ui/facts.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { TextArea } from '../../ui/text-area.js';
import { Time } from '../../ui/time.js';
import { TrailLink } from '../../ui/trail-link.js';
import { useSave } from '../../ui/use-save.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { configOf, faultsOf, valuesOf } from './config-form.js';
import { ConfigInputs } from './config-inputs.js';
import { Reachable } from './reachable.js';
import { REFRESH } from './refresh.js';
import { TYPES } from './types.js';

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
                { title: 'Read it', path },
                { title: 'Read its settings', path: `${path}/config` },
                { title: 'Switch it off', method: 'PATCH', path, body: { status: 'inactive' } },
              ]}
            />
            <TrailLink filters={{ resource: plugin.id }} />
          </>
        }
      />
      <PluginForm key={etag} path={path} plugin={plugin} etag={etag} />
      <Section title="Upstream">
        <Facts
          facts={[
            ['State', <Reachable key="state" plugin={plugin} />],
            ['Last checked', <Time key="checked" at={plugin.last_checked_at} />],
            ...(plugin.last_error === null ? [] : ([['Last fault', plugin.last_error]] as const)),
          ]}
        />
      </Section>
      <DeleteSection
        noun="plugin"
        name={plugin.name}
        consequence="Agents that use it lose it, and its secrets are deleted."
        verb="Uninstall"
        work={() => askArea('platform', 'DELETE', path)}
        refresh={[...REFRESH, ['platform', 'api', 'v1', 'agents']]}
        to="/build/plugins"
      />
    </>
  );
}

function PluginForm({ path, plugin, etag }: { path: string; plugin: Plugin; etag: string }) {
  const { name, description, status, type, config_schema: schema } = plugin;
  const [isTried, setTried] = useState(false);
  const form = useForm({
    initialValues: { name, description, status, config: valuesOf(type, schema, plugin.config) },
    validate: {
      name: (text) => (text.trim() === '' ? 'Models see it by its name: give it one.' : null),
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
      // A PATCH keeps what it does not name: only a replacement empties a setting.
      await askArea('platform', 'PUT', `${path}/config`, settings, matching(seen));
      await askArea('platform', 'PATCH', path, changes);
    },
    { refresh: REFRESH, done: 'Saved. It counts from the next call on.' },
  );
  const submit = form.onSubmit(
    (values) => save.mutate({ values, etag }),
    () => setTried(true),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Section title="What it is">
        <Stack gap="md">
          <TextInput label="Name" maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
          <TextArea
            label="Description"
            description="Models choose by it when to use the plugin."
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
          <NativeSelect
            label="Status"
            maw={320}
            data={[
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive: agents do without it' },
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
                Schema of its settings
              </Text>
            </summary>
            <Code block mt="xs">
              {JSON.stringify(schema, null, 2)}
            </Code>
          </details>
        )}
      </Section>
      <Button type="submit" loading={save.isPending} disabled={!form.isDirty()} mb="lg">
        Save
      </Button>
    </form>
  );
}

export { PluginPage as Component };
