import { NativeSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import { KEPT, type McpAuth } from '../../api/platform-records.js';
import { AUTH_TYPES, authFaultsOf, type AuthValues } from './auth-form.js';

const TEXTS: Readonly<Record<McpAuth['type'], string>> = {
  none: 'Public, or a key in a header above.',
  client_credentials: 'All users share one account.',
  user: 'Each person connects their own account. Connect yours to load the tools.',
  agent_token: 'Each call carries a signed token that names the user and the agent. Nothing to set up for users.',
};
const TYPES = ['none', 'client_credentials', 'user', 'agent_token'] as const;

export interface AuthInputsProps {
  values: AuthValues;
  onChange: (values: AuthValues) => void;
  /** Whether to show faults: true after the first attempt to save. */
  showFaults: boolean;
}

/** Inputs for the authentication to an MCP server. */
export function AuthInputs({ values, onChange, showFaults }: AuthInputsProps) {
  const faults = showFaults ? authFaultsOf(values) : {};
  const field = (name: Exclude<keyof AuthValues, 'type'>) => ({
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...values, [name]: event.currentTarget.value }),
    error: faults[name],
    autoComplete: 'off',
  });
  const isUser = values.type === 'user';
  const isKept = values.client_secret === KEPT;
  return (
    <Stack gap="md">
      <Radio.Group aria-label="Authentication" value={values.type} onChange={(type) => onChange({ ...values, type })}>
        <Stack gap="sm">
          {TYPES.map((type) => (
            <Radio key={type} value={type} label={AUTH_TYPES[type]} description={TEXTS[type]} />
          ))}
        </Stack>
      </Radio.Group>
      {values.type === 'client_credentials' && (
        <TextInput label="Token URL" placeholder="https://auth.example.com/token" type="url" {...field('token_url')} />
      )}
      {isUser && (
        <TextInput
          label="Authorization server"
          description="Leave empty to discover it and register automatically."
          placeholder="https://auth.example.com"
          type="url"
          {...field('issuer')}
        />
      )}
      {values.type === 'agent_token' && (
        <>
          <TextInput
            label="Client ID"
            description="Optional. The OAuth client that may exchange these tokens to call other servers."
            maxLength={500}
            {...field('client_id')}
          />
          <TextInput label="Scope" description="Optional. Put into each token." maxLength={1_000} {...field('scope')} />
        </>
      )}
      {(values.type === 'client_credentials' || isUser) && (
        <>
          <TextInput label="Client ID" maxLength={500} {...field('client_id')} />
          <PasswordInput
            label="Client secret"
            description="Encrypted and can't be viewed after saving."
            placeholder={isKept ? 'Unchanged' : ''}
            maxLength={4_096}
            {...field('client_secret')}
            value={isKept ? '' : values.client_secret}
          />
          <NativeSelect
            label="Client authentication"
            data={[
              { value: '', label: 'Default' },
              { value: 'client_secret_basic', label: 'HTTP Basic header' },
              { value: 'client_secret_post', label: 'Request body' },
              ...(isUser ? [{ value: 'none', label: 'None (public client)' }] : []),
            ]}
            {...field('client_auth')}
          />
          <TextInput
            label="Scope"
            description={isUser ? 'Leave empty to request what the server asks for.' : 'Optional.'}
            maxLength={1_000}
            {...field('scope')}
          />
        </>
      )}
    </Stack>
  );
}
