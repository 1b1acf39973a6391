import { Button, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { McpServer } from '../../api/platform-records.js';
import { HeaderRows } from '../../ui/header-rows.js';
import { headerRowsOf, headersOf } from '../../ui/headers.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { authFaultsOf, authOf, authValuesOf } from './auth-form.js';
import { AuthInputs } from './auth-inputs.js';

export type ServerFields = Pick<
  McpServer,
  'name' | 'url' | 'description' | 'headers' | 'auth' | 'pin_tools' | 'status'
>;

export interface ServerFormProps {
  server: ServerFields;
  isNew?: boolean;
  isSaving: boolean;
  /** `saved` has to be called before another page opens. */
  onSave: (server: ServerFields, saved: () => void) => void;
}

/** Unreachable is what a probe found: nobody chooses it. */
const statusesOf = ({ status }: ServerFields) => ({
  active: 'Active',
  inactive: 'Inactive: nobody is let through',
  ...(status === 'unreachable' && { unreachable: 'Unreachable' }),
});

export function ServerForm({ server, isNew = false, isSaving, onSave }: ServerFormProps) {
  const { headers, auth, ...fields } = server;
  const form = useForm({
    initialValues: { ...fields, rows: headerRowsOf(headers), proof: authValuesOf(auth) },
    validate: {
      name: (name) => (name.trim() === '' ? 'What is it called?' : null),
      url: (url) => (URL.canParse(url) ? null : 'That is not an address: it begins with https://.'),
      rows: (rows) =>
        rows.some(({ name, value }) => name.trim() !== '' && value === '') ? 'A header has no value.' : null,
      proof: (proof) => Object.values(authFaultsOf(proof))[0] ?? null,
    },
  });
  const saved = useUnsaved(form.isDirty());
  const submit = ({ rows, proof, ...values }: typeof form.values) =>
    onSave(
      {
        ...values,
        name: values.name.trim(),
        url: values.url.trim(),
        headers: headersOf(rows),
        auth: authOf(proof),
      },
      saved,
    );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Section title="Where it is">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={200} statuses={isNew ? undefined : statusesOf(server)} />
          <TextInput
            label="Address"
            description={
              isNew
                ? 'Of its streamable HTTP endpoint.'
                : 'Of its streamable HTTP endpoint. Another one clears what was approved.'
            }
            placeholder="https://tools.example.com/mcp"
            type="url"
            maxLength={2_000}
            autoComplete="off"
            {...form.getInputProps('url')}
          />
          <TextArea
            label="Description"
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
          <HeaderRows
            text="Sent with each request to the server. Values are kept sealed: nobody can read them here again."
            rows={form.values.rows}
            onChange={(rows) => form.setFieldValue('rows', rows)}
          />
          {form.errors['rows'] !== undefined && (
            <span role="alert" style={{ color: 'var(--mantine-color-error)', fontSize: 12 }}>
              {form.errors['rows']}
            </span>
          )}
          <AuthInputs
            values={form.values.proof}
            onChange={(proof) => form.setFieldValue('proof', proof)}
            showFaults={form.errors['proof'] !== undefined}
          />
          <Switch
            label="Quarantine tools that are new or have changed, until an administrator approves them"
            {...form.getInputProps('pin_tools', { type: 'checkbox' })}
          />
        </Stack>
      </Section>
      <Button type="submit" loading={isSaving} disabled={!isNew && !form.isDirty()} mb="lg">
        {isNew ? 'Register' : 'Save'}
      </Button>
    </form>
  );
}
