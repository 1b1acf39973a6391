import { isJsonObject } from '@millwright/json';
import type { PluginType } from '../../api/platform-records.js';
import { headerRowsOf, headersOf, type HeaderRow } from '../../ui/headers.js';
import { objectIn } from '../../api/json-schema.js';
import { configFields, faultOfText, textOfValue, valueOfText } from './config-fields.js';

/** A plugin's config as the form edits it. */
export interface ConfigValues {
  url: string;
  headers: HeaderRow[];
  /** Input schema as JSON text, or empty. */
  inputSchema: string;
  serverId: string;
  /** Secret with which requests to an external guard are signed. */
  secret: string;
  /** Timeout in milliseconds, or empty. */
  timeout: string;
  /** Calls per minute as a number, or empty for the default. */
  callsPerMinute: string;
  /** Values of the settings from the plugin's own schema. */
  texts: Record<string, string>;
}

type Json = Record<string, unknown>;

const numberText = (value: unknown) => (typeof value === 'number' ? String(value) : '');
const isWhole = (text: string, least: number, most: number) =>
  text === '' || (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most);

export function valuesOf(type: PluginType, schema: Json, config: Json): ConfigValues {
  const { url, headers, input_schema: inputSchema, server_id: serverId, secret } = config;
  const fields = configFields(type, schema);
  return {
    url: typeof url === 'string' ? url : '',
    headers: headerRowsOf(isJsonObject(headers) ? headers : {}),
    inputSchema: inputSchema === undefined ? '' : JSON.stringify(inputSchema, null, 2),
    serverId: typeof serverId === 'string' ? serverId : '',
    secret: typeof secret === 'string' ? secret : '',
    timeout: numberText(config['timeout_ms']),
    callsPerMinute: numberText(config['calls_per_minute']),
    texts: Object.fromEntries(fields.map((field) => [field.name, textOfValue(field, config[field.name])])),
  };
}

/** Makes the config that the API expects. The values must have no fault. */
export function configOf(type: PluginType, schema: Json, values: ConfigValues): Json {
  const further = configFields(type, schema).flatMap((field) => {
    const value = valueOfText(field, values.texts[field.name] ?? '');
    return value === undefined ? [] : [[field.name, value] as const];
  });
  const headers = headersOf(values.headers);
  const own =
    type === 'integration'
      ? { server_id: values.serverId }
      : {
          url: values.url.trim(),
          ...(Object.keys(headers).length > 0 && { headers }),
          ...(type === 'filter' && {
            secret: values.secret,
            ...(values.timeout !== '' && { timeout_ms: Number(values.timeout) }),
            ...(values.callsPerMinute !== '' && { calls_per_minute: Number(values.callsPerMinute) }),
          }),
          ...(type === 'tool' && values.inputSchema !== '' && { input_schema: objectIn(values.inputSchema) }),
        };
  return { ...Object.fromEntries(further), ...own };
}

type Fault = readonly [setting: string, fault: string | null];

/** Returns faults by the name of the setting. */
export function faultsOf(type: PluginType, schema: Json, values: ConfigValues): Record<string, string> {
  const faults = configFields(type, schema).map((field): Fault => [
    field.name,
    faultOfText(field, values.texts[field.name] ?? ''),
  ]);
  const isInputBad = type === 'tool' && values.inputSchema !== '' && !objectIn(values.inputSchema);
  const all: Fault[] = [
    ...faults,
    [
      'url',
      type !== 'integration' && !URL.canParse(values.url) ? 'Enter a full URL, such as https://api.example.com.' : null,
    ],
    ['server_id', type === 'integration' && values.serverId === '' ? 'Choose a server.' : null],
    [
      'secret',
      type === 'filter' && values.secret === '' ? 'Enter the key: whsec_ and 24 to 64 bytes in base64.' : null,
    ],
    ['timeout_ms', isWhole(values.timeout, 100, 10_000) ? null : 'Enter 100 to 10000.'],
    ['calls_per_minute', isWhole(values.callsPerMinute, 1, 60_000) ? null : 'Enter 1 to 60000.'],
    ['input_schema', isInputBad ? 'Enter a JSON object.' : null],
    [
      'headers',
      values.headers.some(({ name, value }) => name !== '' && value === '') ? 'Every header needs a value.' : null,
    ],
  ];
  return Object.fromEntries(all.flatMap(([name, fault]) => (fault === null ? [] : [[name, fault]])));
}
