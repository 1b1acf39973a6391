import { meetsLogLevel, paramHeaders, toV2025Meta, toV2025Result, toV2026Error } from './v2026-terms.js';

it.each<[number, number, number]>([
  [-32601, 404, -32601],
  [-32002, 200, -32602],
  [-32602, 200, -32602],
])('toV2026Error converts error %d of 2025-11-25 to status %d and error %d', (code, status, answered) => {
  expect(toV2026Error({ code, message: 'no', data: 1 })).toEqual({
    status,
    reply: { error: { code: answered, message: 'no', data: 1 } },
  });
});

it('meetsLogLevel returns true for messages of the level and of higher levels', () => {
  const accepted = (level: unknown) =>
    ['debug', 'warning', 'emergency', 'x'].filter((sent) => meetsLogLevel(of(sent), level));
  const of = (level: string) => ({ method: 'notifications/message', params: { level } });
  expect(accepted('debug')).toEqual(['debug', 'warning', 'emergency']);
  expect(accepted('warning')).toEqual(['warning', 'emergency']);
  for (const level of [undefined, 'x', 7]) expect(accepted(level)).toEqual([]);
});

it('toV2025Meta and toV2025Result remove the members that only 2026-07-28 defines, and no other members', () => {
  const meta = { 'io.modelcontextprotocol/logLevel': 'info', progressToken: 1, traceparent: 't', 'x.test/y': 2 };
  expect(toV2025Meta(meta)).toEqual({ progressToken: 1, traceparent: 't', 'x.test/y': 2 });
  expect(toV2025Result({ resultType: 'complete', ttlMs: 1, cacheScope: 'public', tools: [] })).toEqual({ tools: [] });
});

const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', 'x-mcp-header': 'City' },
    plain: { type: 'string' },
    bad: { type: 'string', 'x-mcp-header': 'not a token' },
    where: { type: 'object', properties: { floor: { type: 'integer', 'x-mcp-header': 'Floor' } } },
  },
};

it.each<[object, object]>([
  [{ city: 'Ulm', plain: 'x', bad: 'y' }, { 'mcp-param-city': 'Ulm' }],
  [{ where: { floor: 3 } }, { 'mcp-param-floor': '3' }],
  [{ city: true }, { 'mcp-param-city': 'true' }],
  [{ city: 'Zürich' }, { 'mcp-param-city': '=?base64?WsO8cmljaA==?=' }],
  [{ city: ' Ulm' }, { 'mcp-param-city': '=?base64?IFVsbQ==?=' }],
  [{ city: 'a\r\nx: 1' }, { 'mcp-param-city': '=?base64?YQ0KeDogMQ==?=' }],
  [{ city: '=?base64?VWxt?=' }, { 'mcp-param-city': '=?base64?PT9iYXNlNjQ/Vld4dD89?=' }],
  [{ city: '' }, { 'mcp-param-city': '=?base64??=' }],
  [{ city: null, where: 7 }, {}],
  [{ where: { floor: 0.5 } }, {}],
  [{}, {}],
])('paramHeaders repeats the arguments %j in the headers %j', (args, headers) => {
  expect(paramHeaders(schema, args)).toEqual(headers);
});
