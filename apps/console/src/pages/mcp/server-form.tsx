import { NativeSelect, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { McpServer } from '../../api/platform-records.js';
import { faultsOfForm } from '../../ui/form-faults.js';
import { HeaderRows } from '../../ui/header-rows.js';
import { headerRowsOf, headersOf } from '../../ui/headers.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import type { OnFaults } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { authFaultsOf, authOf, authValuesOf, type AuthFields } from './auth-form.js';
import { AuthInputs } from './auth-inputs.js';

export interface ServerFields extends Pick<
  McpServer,
  'name' | 'url' | 'description' | 'pin_tools' | 'status' | 'transport'
> {
  agent_card: CardRules | null;
  auth: AuthFields;
  headers: Record<string, string>;
}

type CardRules = Pick<NonNullable<McpServer['agent_card']>, 'require_signature' | 'jwks_url'>;

export interface ServerFormProps {
  server: ServerFields;
  isNew?: boolean;
  isSaving: boolean;
  /** Saves the server. The function must call `saved` before it opens another page, and `onFaults` with the faults of a refused request. */
  onSave: (server: ServerFields, form: { saved: () => void; onFaults: OnFaults }) => void;
}

/** Statuses to choose from. `unreachable` is listed only while it is the status of the server, because only probes set it. */
const statusesOf = ({ status }: ServerFields) => ({
  active: 'Active',
  inactive: 'Inactive (not used by agents)',
  ...(status === 'unreachable' && { unreachable: 'Unreachable' }),
});

export function ServerForm({ server, isNew = false, isSaving, onSave }: ServerFormProps) {
  const { headers, auth, agent_card: card, ...fields } = server;
  const form = useForm({
    initialValues: {
      ...fields,
      rows: headerRowsOf(headers),
      proof: authValuesOf(auth),
      requireSignature: card?.require_signature ?? false,
      jwksUrl: card?.jwks_url ?? '',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      url: (url) => {
        if (/\{[^}]*\}/.test(url)) return 'Enter a value in place of each part in braces.';
        return URL.canParse(url) ? null : 'Enter a full URL, such as https://tools.example.com/mcp.';
      },
      jwksUrl: (url) => (url.trim() === '' || URL.canParse(url) ? null : 'Enter a full URL, or leave it empty.'),
      rows: (rows) =>
        rows.some(({ name, value }) => name.trim() !== '' && value === '') ? 'Every header needs a value.' : null,
      proof: (proof) => Object.values(authFaultsOf(proof))[0] ?? null,
    },
  });
  const saved = useUnsaved(form.isDirty());
  const isAgent = form.values.transport === 'a2a';
  const submit = ({ rows, proof, requireSignature, jwksUrl, ...values }: typeof form.values) =>
    onSave(
      {
        ...values,
        name: values.name.trim(),
        url: values.url.trim(),
        headers: headersOf(rows),
        auth: authOf(proof),
        agent_card: isAgent ? { require_signature: requireSignature, jwks_url: jwksUrl.trim() || null } : null,
      },
      { saved, onFaults: faultsOfForm(form) },
    );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Section title="Connection">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={200} statuses={isNew ? undefined : statusesOf(server)} />
          {isNew && (
            <NativeSelect
              label="Kind"
              data={[
                { value: 'streamable-http', label: 'MCP server' },
                { value: 'a2a', label: 'Agent of another system (A2A)' },
              ]}
              {...form.getInputProps('transport')}
            />
          )}
          <TextInput
            label="URL"
            description={
              !isNew
                ? 'Changing the URL resets all tool approvals.'
                : isAgent
                  ? "The agent's address, or the address of its card."
                  : 'Streamable HTTP endpoint.'
            }
            placeholder={isAgent ? 'https://agents.example.com' : 'https://tools.example.com/mcp'}
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
            text="Sent with each request. Values are encrypted and can't be viewed after saving."
            rows={form.values.rows}
            onChange={(rows) => form.setFieldValue('rows', rows)}
          />
          {form.errors['rows'] !== undefined && (
            <span role="alert" style={{ color: 'var(--mantine-color-error)', fontSize: 12 }}>
              {form.errors['rows']}
            </span>
          )}
        </Stack>
      </Section>
      {isAgent && (
        <Section title="Agent card">
          <Stack gap="md">
            <Switch
              label="Require a signed card"
              description="Without a valid signature, the agent is unreachable."
              {...form.getInputProps('requireSignature', { type: 'checkbox' })}
            />
            <TextInput
              label="Keys (JWKS URL)"
              description="Keys that sign the card. Empty: the address in the signature, if it has the card's origin."
              type="url"
              maxLength={2_000}
              autoComplete="off"
              {...form.getInputProps('jwksUrl')}
            />
          </Stack>
        </Section>
      )}
      <Section title="Authentication">
        <Stack gap="md">
          <AuthInputs
            values={form.values.proof}
            onChange={(proof) => form.setFieldValue('proof', proof)}
            showFaults={form.errors['proof'] !== undefined}
          />
        </Stack>
      </Section>
      <Section title="Tool approval">
        <Switch
          label="Quarantine new and changed tools"
          description="Agents can't call them until an administrator approves them."
          {...form.getInputProps('pin_tools', { type: 'checkbox' })}
        />
      </Section>
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/build/mcp">
          Add server
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}
