import { paramHeaders } from './param-headers.js';

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
])('the arguments %j have the headers %j', (args, headers) => {
  expect(paramHeaders(schema, args)).toEqual(headers);
});
