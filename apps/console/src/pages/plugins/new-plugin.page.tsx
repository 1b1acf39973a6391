import { Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import { objectIn } from '../../api/json-schema.js';
import type { Plugin, PluginType } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { JsonArea } from '../../ui/text-area.js';
import { useAction } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions } from '../record/form-actions.js';
import { FormColumn } from '../record/record-columns.js';
import { configOf, faultsOf, valuesOf } from './config-form.js';
import { ConfigInputs } from './config-inputs.js';
import { NameInputs } from './name-inputs.js';
import { TYPES } from './plugin-labels.js';

function NewPluginPage() {
  const navigate = useNavigate();
  const [isTried, setTried] = useState(false);
  const form = useForm({
    initialValues: {
      name: '',
      description: '',
      type: 'tool' as PluginType,
      schemaText: '',
      config: valuesOf('tool', {}, {}),
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name. Models see it.' : null),
      schemaText: (text) => (text === '' || objectIn(text) ? null : 'Enter a JSON object.'),
      config: (config, { type, schemaText }) =>
        Object.values(faultsOf(type, objectIn(schemaText) ?? {}, config))[0] ?? null,
    },
  });
  const { type, schemaText, config } = form.values;
  const schema = objectIn(schemaText) ?? {};
  const saved = useUnsaved(form.isDirty());
  const install = useAction(
    ({ name, description }: typeof form.values) =>
      askArea<Plugin>('platform', 'POST', '/api/v1/plugins', {
        name: name.trim(),
        description,
        type,
        config: configOf(type, schema, config),
        config_schema: schema,
      }),
    {
      refresh: QUERY_KEYS.plugins,
      done: ({ name }) => `${name} installed.`,
      onDone: ({ id }) => {
        saved();
        void navigate(`/build/plugins/${id}`);
      },
    },
  );
  const submit = form.onSubmit(
    (values) => install.mutate(values),
    () => setTried(true),
  );
  return (
    <FormColumn>
      <BackLink to="/build/plugins">Plugins</BackLink>
      <PageHeader title="Install plugin" text="A tool, a data source or an MCP server for your agents." />
      <form onSubmit={submit} noValidate>
        <Section title="Details">
          <Stack gap="md">
            <NameInputs form={form} />
            <Radio.Group label="Type" {...form.getInputProps('type')}>
              <Stack gap="sm" mt={6}>
                {Object.entries(TYPES).map(([value, { label, text }]) => (
                  <Radio key={value} value={value} label={label} description={text} />
                ))}
              </Stack>
            </Radio.Group>
          </Stack>
        </Section>
        <Section title="Settings">
          <ConfigInputs
            type={type}
            schema={schema}
            values={config}
            onChange={(next) => form.setFieldValue('config', next)}
            faults={isTried ? faultsOf(type, schema, config) : {}}
          />
        </Section>
        <Section title="More settings">
          <details>
            <summary>
              <Text span size="sm">
                Describe settings of your own by a JSON Schema
              </Text>
            </summary>
            <Text size="sm" c="dimmed" my="xs">
              Draft-07. Each property becomes a field of the settings above; those marked writeOnly or format: password
              are encrypted.
            </Text>
            <JsonArea
              aria-label="Custom settings schema"
              placeholder={'{ "properties": { "region": { "enum": ["eu", "us"] } } }'}
              minRows={4}
              maxRows={20}
              {...form.getInputProps('schemaText')}
            />
          </details>
        </Section>
        <CreateActions isSaving={install.isPending} cancelTo="/build/plugins">
          Install plugin
        </CreateActions>
      </form>
    </FormColumn>
  );
}

export { NewPluginPage as Component };
