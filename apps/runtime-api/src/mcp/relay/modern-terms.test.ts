import { isLoud, legacyMeta, legacyResult, modernError } from './modern-terms.js';

it.each<[number, number, number]>([
  [-32601, 404, -32601],
  [-32002, 200, -32602],
  [-32602, 200, -32602],
])('the legacy error %d is answered %d as %d', (code, status, told) => {
  expect(modernError({ code, message: 'no', data: 1 })).toEqual({
    status,
    reply: { error: { code: told, message: 'no', data: 1 } },
  });
});

it('a log message is heard from the level asked for on', () => {
  const heard = (level: unknown) => ['debug', 'warning', 'emergency', 'x'].filter((said) => isLoud(of(said), level));
  const of = (level: string) => ({ method: 'notifications/message', params: { level } });
  expect(heard('debug')).toEqual(['debug', 'warning', 'emergency']);
  expect(heard('warning')).toEqual(['warning', 'emergency']);
  for (const level of [undefined, 'x', 7]) expect(heard(level)).toEqual([]);
});

it('what only the modern era knows is left out, and nothing else', () => {
  const meta = { 'io.modelcontextprotocol/logLevel': 'info', progressToken: 1, traceparent: 't', 'x.test/y': 2 };
  expect(legacyMeta(meta)).toEqual({ progressToken: 1, traceparent: 't', 'x.test/y': 2 });
  expect(legacyResult({ resultType: 'complete', ttlMs: 1, cacheScope: 'public', tools: [] })).toEqual({ tools: [] });
});
