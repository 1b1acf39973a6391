import { NativeSelect, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import { KEPT, type McpAuth } from '../../api/platform-records.js';
import { authFaultsOf, type AuthValues } from './auth-form.js';

const TYPES: readonly { value: McpAuth['type']; label: string; text: string }[] = [
  { value: 'none', label: 'Nothing more', text: 'The headers above are all that it wants.' },
  {
    value: 'client_credentials',
    label: 'One account for all',
    text: 'We get an access token for this platform (OAuth client credentials).',
  },
  {
    value: 'user',
    label: "Each user's own account",
    text: 'People connect theirs in their profile. Until then nobody can call its tools, and you connect yours to have them read.',
  },
];

export interface AuthInputsProps {
  values: AuthValues;
  onChange: (values: AuthValues) => void;
  /** Once someone tried to save. */
  showFaults: boolean;
}

/** How we prove ourselves to the server, besides its headers. */
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
      <Radio.Group label="What it wants to see" value={values.type} onChange={(type) => onChange({ ...values, type })}>
        <Stack gap={6} mt={6}>
          {TYPES.map(({ value, label, text }) => (
            <Radio key={value} value={value} label={label} description={text} />
          ))}
        </Stack>
      </Radio.Group>
      {values.type === 'client_credentials' && (
        <TextInput
          label="Token address"
          placeholder="https://auth.example.com/token"
          type="url"
          {...field('token_url')}
        />
      )}
      {isUser && (
        <TextInput
          label="Authorization server"
          description="Only where we are a known client there. Empty: the server names it, and we introduce ourselves."
          placeholder="https://auth.example.com"
          type="url"
          {...field('issuer')}
        />
      )}
      {values.type !== 'none' && (
        <>
          <TextInput label="Client id" maxLength={500} {...field('client_id')} />
          <PasswordInput
            label="Client secret"
            description="Kept sealed: nobody can read it here again."
            placeholder={isKept ? 'kept as it is' : ''}
            maxLength={4_096}
            {...field('client_secret')}
            value={isKept ? '' : values.client_secret}
          />
          <NativeSelect
            label="The secret is sent"
            maw={320}
            data={[
              { value: '', label: 'as is usual' },
              { value: 'client_secret_basic', label: 'in a header (Basic)' },
              { value: 'client_secret_post', label: 'in the body' },
              ...(isUser ? [{ value: 'none', label: 'not at all: the client is public' }] : []),
            ]}
            {...field('client_auth')}
          />
          <TextInput
            label="Scope"
            description={isUser ? 'What to ask for. Empty: what the server names.' : 'What to ask for, if anything.'}
            maxLength={1_000}
            {...field('scope')}
          />
        </>
      )}
    </Stack>
  );
}
