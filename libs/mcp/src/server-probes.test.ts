import { randomBytes } from 'node:crypto';
import { createEgress } from '@millwright/egress';
import { createSecretBox } from '@millwright/secrets';
import { createFakeMcpServer } from '@millwright/testing';
import { createServerConnections } from './server-connections.js';
import { createServerProbes } from './server-probes.js';

/** Jest's `doNotFake` for everything but `performance`. */
const REAL_CLOCKS = [
  'Date',
  'hrtime',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

const tool = (name: string) => ({ name, description: name, inputSchema: { type: 'object' } });

it('a recent probe is returned immediately, and is repeated for the next call when it is older than five minutes', async () => {
  const upstream = await createFakeMcpServer('modern', [tool('old')]);
  const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
  const secrets = createSecretBox([{ id: 'test', key: randomBytes(32) }]);
  // The database is never used: a server with `auth: none` has no tokens to read.
  const probes = createServerProbes(createServerConnections({ db: {} as never, egress, secrets }));
  const server = {
    id: 's',
    project: 'Core',
    name: 's',
    url: upstream.url,
    headers: {},
    auth: { type: 'none' },
  } as const;
  const namesIn = async () => [...(await probes.recent(server, 'v2026')).tools.keys()];
  jest.useFakeTimers({ doNotFake: [...REAL_CLOCKS] });
  try {
    expect(await namesIn()).toEqual(['old']);
    upstream.tools = [tool('new')];
    jest.advanceTimersByTime(299_000);
    const asked = upstream.seen.length;
    expect([await namesIn(), upstream.seen.length]).toEqual([['old'], asked]);
    jest.advanceTimersByTime(2_000);
    expect(await namesIn()).toEqual(['old']);
    for (const deadline = Date.now() + 30_000; (await namesIn())[0] === 'old' && Date.now() < deadline;)
      await new Promise((resolve) => setImmediate(resolve));
    expect(await namesIn()).toEqual(['new']);
    upstream.behaviour = 'reset';
    jest.advanceTimersByTime(301_000);
    expect(await namesIn()).toEqual(['new']);
  } finally {
    jest.useRealTimers();
    await upstream.close();
    await egress.close();
  }
});
