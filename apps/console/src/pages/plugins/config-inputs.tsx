import { NativeSelect, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import { KEPT, type McpServer, type PluginType } from '../../api/platform-records.js';
import type { List } from '../../api/admin-records.js';
import { failureText } from '../../ui/failure-text.js';
import { HeaderRows } from '../../ui/header-rows.js';
import { JsonArea } from '../../ui/text-area.js';
import { configFields, type ConfigField } from './config-fields.js';
import type { ConfigValues } from './config-form.js';

export interface ConfigInputsProps {
  type: PluginType;
  schema: Record<string, unknown>;
  values: ConfigValues;
  onChange: (values: ConfigValues) => void;
  /** Faults by the name of the setting. */
  faults: Readonly<Record<string, string>>;
}

/**
 * A plugin's settings: the settings of its type, and the settings that the schema in its config declares. Secrets can be replaced but not
 * read.
 */
export function ConfigInputs({ type, schema, values, onChange, faults }: ConfigInputsProps) {
  const set = (changes: Partial<ConfigValues>) => onChange({ ...values, ...changes });
  return (
    <Stack gap="md">
      {type === 'integration' ? (
        <ServerSelect value={values.serverId} onChange={(serverId) => set({ serverId })} error={faults['server_id']} />
      ) : (
        <>
          <TextInput
            label="URL"
            placeholder="https://api.example.com/search"
            type="url"
            maxLength={2_000}
            autoComplete="off"
            value={values.url}
            onChange={(event) => set({ url: event.currentTarget.value })}
            error={faults['url']}
          />
          <HeaderRows
            text="Sent with each request. Values are encrypted and can't be viewed after saving."
            rows={values.headers}
            onChange={(headers) => set({ headers })}
          />
          {faults['headers'] !== undefined && (
            <Text size="xs" c="var(--mantine-color-error)" role="alert">
              {faults['headers']}
            </Text>
          )}
        </>
      )}
      {type === 'filter' && <FilterInputs values={values} set={set} faults={faults} />}
      {type === 'tool' && (
        <JsonArea
          label="Input schema"
          description="JSON Schema (draft-07) for the input. Leave empty to accept any object."
          placeholder={'{ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }'}
          minRows={3}
          maxRows={16}
          value={values.inputSchema}
          onChange={(inputSchema) => set({ inputSchema })}
          error={faults['input_schema']}
        />
      )}
      {configFields(type, schema).map((field) => (
        <Setting
          key={field.name}
          field={field}
          value={values.texts[field.name] ?? ''}
          onChange={(text) => set({ texts: { ...values.texts, [field.name]: text } })}
          error={faults[field.name]}
        />
      ))}
    </Stack>
  );
}

interface FilterInputsProps extends Pick<ConfigInputsProps, 'values' | 'faults'> {
  set: (changes: Partial<ConfigValues>) => void;
}

function FilterInputs({ values, set, faults }: FilterInputsProps) {
  const isKept = values.secret === KEPT;
  return (
    <>
      <PasswordInput
        label="Signing key"
        description="whsec_ and 24 to 64 bytes in base64. Calls are signed with it (Standard Webhooks)."
        placeholder={isKept ? 'Unchanged' : ''}
        autoComplete="off"
        value={isKept ? '' : values.secret}
        onChange={(event) => set({ secret: event.currentTarget.value })}
        error={faults['secret']}
      />
      <TextInput
        label="Time limit"
        description="In milliseconds, at most 10000. Default: 2000."
        inputMode="numeric"
        autoComplete="off"
        value={values.timeout}
        onChange={(event) => set({ timeout: event.currentTarget.value })}
        error={faults['timeout_ms']}
      />
      <TextInput
        label="Calls per minute"
        description="More calls count as failures. Default: 600."
        inputMode="numeric"
        autoComplete="off"
        value={values.callsPerMinute}
        onChange={(event) => set({ callsPerMinute: event.currentTarget.value })}
        error={faults['calls_per_minute']}
      />
    </>
  );
}

interface SettingProps {
  field: ConfigField;
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
}

function Setting({ field: { name, description, kind, isRequired, choices }, value, onChange, error }: SettingProps) {
  const shared = { label: name, description, error, withAsterisk: isRequired };
  if (kind === 'choice' || kind === 'boolean') {
    const options = kind === 'boolean' ? ['true', 'false'] : choices;
    return (
      <NativeSelect
        {...shared}
        data={[{ value: '', label: 'Not set' }, ...options]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  if (kind === 'json') {
    return <JsonArea {...shared} minRows={3} maxRows={16} value={value} onChange={onChange} />;
  }
  if (kind === 'secret') {
    const isKept = value === KEPT;
    return (
      <PasswordInput
        {...shared}
        placeholder={isKept ? 'Unchanged' : ''}
        autoComplete="off"
        value={isKept ? '' : value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      inputMode={kind === 'text' ? 'text' : 'decimal'}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface ServerSelectProps {
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}

function ServerSelect({ value, onChange, error }: ServerSelectProps) {
  const servers = useQuery(
    areaResource<List<McpServer>>('platform', '/api/v1/mcp/servers', { sort: 'name', order: 'asc', per_page: 100 }),
  );
  const options = (servers.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isListed = value === '' || options.some((option) => option.value === value);
  return (
    <NativeSelect
      label="MCP server"
      description={options.length === 0 && servers.data ? 'None yet. Add one under MCP servers first.' : ''}
      data={[{ value: '', label: 'Choose' }, ...options, ...(isListed ? [] : [{ value, label: value }])]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error ?? (servers.error ? failureText(servers.error) : undefined)}
    />
  );
}
