import type { PluginType } from '../../api/platform-records.js';
import { headerRowsOf, headersOf, type HeaderRow } from '../../ui/headers.js';
import { configFields, faultOfText, objectIn, textOfValue, valueOfText } from './config-fields.js';

/** A config as its form has it. */
export interface ConfigValues {
  url: string;
  headers: HeaderRow[];
  /** JSON, or nothing. */
  inputSchema: string;
  serverId: string;
  /** Of the settings that the plugin's own schema declares. */
  texts: Record<string, string>;
}

type Json = Record<string, unknown>;

export function valuesOf(type: PluginType, schema: Json, config: Json): ConfigValues {
  const { url, headers, input_schema: inputSchema, server_id: serverId } = config;
  const texts = configFields(type, schema).map((field) => [field.name, textOfValue(field, config[field.name])]);
  return {
    url: typeof url === 'string' ? url : '',
    headers: headerRowsOf((headers ?? {}) as Record<string, string>),
    inputSchema: inputSchema === undefined ? '' : JSON.stringify(inputSchema, null, 2),
    serverId: typeof serverId === 'string' ? serverId : '',
    texts: Object.fromEntries(texts) as Record<string, string>,
  };
}

/** For the API. Values have to be without fault. */
export function configOf(type: PluginType, schema: Json, values: ConfigValues): Json {
  const further = configFields(type, schema).map((field) => [
    field.name,
    valueOfText(field, values.texts[field.name] ?? ''),
  ]);
  const headers = headersOf(values.headers);
  const own =
    type === 'integration'
      ? { server_id: values.serverId }
      : {
          url: values.url.trim(),
          ...(Object.keys(headers).length > 0 && { headers }),
          ...(type === 'tool' && values.inputSchema !== '' && { input_schema: objectIn(values.inputSchema) }),
        };
  return { ...(Object.fromEntries(further.filter(([, value]) => value !== undefined)) as Json), ...own };
}

/** What is wrong, by the name of the setting. */
export function faultsOf(type: PluginType, schema: Json, values: ConfigValues): Record<string, string> {
  const faults = configFields(type, schema).map((field) => [
    field.name,
    faultOfText(field, values.texts[field.name] ?? ''),
  ]);
  const isInputBad = type === 'tool' && values.inputSchema !== '' && !objectIn(values.inputSchema);
  const all = [
    ...faults,
    [
      'url',
      type !== 'integration' && !URL.canParse(values.url) ? 'Enter a full URL, such as https://api.example.com.' : null,
    ],
    ['server_id', type === 'integration' && values.serverId === '' ? 'Choose a server.' : null],
    ['input_schema', isInputBad ? 'Enter a JSON object.' : null],
    [
      'headers',
      values.headers.some(({ name, value }) => name !== '' && value === '') ? 'Every header needs a value.' : null,
    ],
  ];
  return Object.fromEntries(all.filter(([, fault]) => fault !== null)) as Record<string, string>;
}
