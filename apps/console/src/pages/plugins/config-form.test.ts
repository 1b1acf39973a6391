import { configOf, faultsOf, valuesOf } from './config-form.js';

const schema = {
  properties: { key: { type: 'string', writeOnly: true }, limit: { type: 'integer' } },
  required: ['key'],
};

describe("the form of a plugin's config", () => {
  it.each([
    [
      'tool',
      {
        url: 'https://a.test',
        headers: { x: '********' },
        input_schema: { type: 'object' },
        key: '********',
        limit: 3,
      },
    ],
    ['data_source', { url: 'https://a.test', key: 'new' }],
    ['integration', { server_id: 'ms_1', key: 'k' }],
    ['filter', { url: 'https://a.test', secret: '********', timeout_ms: 500, calls_per_minute: 60, key: 'k' }],
  ] as const)('sends the config of a %s back unchanged', (type, config) => {
    const values = valuesOf(type, schema, config);
    expect(faultsOf(type, schema, values)).toEqual({});
    expect(configOf(type, schema, values)).toEqual(config);
  });

  it('reports a fault for each missing or invalid setting', () => {
    const empty = valuesOf('tool', schema, {});
    expect(Object.keys(faultsOf('tool', schema, { ...empty, inputSchema: '[]' })).sort()).toEqual([
      'input_schema',
      'key',
      'url',
    ]);
    const filter = { ...valuesOf('filter', {}, {}), timeout: '5', callsPerMinute: 'many' };
    expect(Object.keys(faultsOf('filter', {}, filter)).sort()).toEqual([
      'calls_per_minute',
      'secret',
      'timeout_ms',
      'url',
    ]);
    expect(Object.keys(faultsOf('integration', {}, empty))).toEqual(['server_id']);
  });
});
