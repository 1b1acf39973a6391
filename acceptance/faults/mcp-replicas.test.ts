import { startExampleServer, type ExampleServer } from '../conformance/example-server.js';
import { newToken } from '../harness/calls.js';
import { connectLegacy, connectModern } from '../harness/mcp-clients.js';
import { registerMcpServer } from '../harness/mcp.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';

let platform: Platform;
let token: string;
let servers: ExampleServer[];
let endpoints: Record<string, string>;

beforeAll(async () => {
  const [legacy, modern, started] = await Promise.all([
    startExampleServer('2025-11-25'),
    startExampleServer('2026-07-28'),
    startPlatform({ replicas: { 'runtime-api': 3 } }),
  ]);
  platform = started;
  servers = [legacy, modern];
  endpoints = {
    'of 2025-11-25': await registerMcpServer(platform, 'legacy', legacy.url),
    'of 2026-07-28': await registerMcpServer(platform, 'modern', modern.url),
  };
  token = await newToken(platform, platform.client);
});
afterAll(async () => {
  await platform.stop();
  await Promise.all(servers.map((server) => server.close()));
});

describe.each(['of 2025-11-25', 'of 2026-07-28'])('the relay to an MCP server that uses the version %s', (era) => {
  it.each([
    [
      'keeps the session of a client of version 2025-11-25 when processes are killed, and still sends the server’s notifications to the client',
      connectLegacy,
    ],
    ['still answers a client of version 2026-07-28 when a process is killed', connectModern],
  ])('%s', async (_what, connect) => {
    const client = await connect(endpoints[era] ?? '', token);
    let notified = 0;
    await client.onToolsChanged(() => (notified += 1));
    const reconnects = async () => {
      const before = notified;
      await until(async () => {
        await client.call('test_trigger_tool_change', {});
        return notified > before ? true : undefined;
      });
    };
    await reconnects();
    const processes = platform.of('runtime-api');
    // Only one of the processes has the session's stream, so each process is killed in turn for a client with a session.
    for (const process of connect === connectLegacy ? processes : processes.slice(0, 1)) {
      process.kill('SIGKILL');
      // Requests in flight to the killed process are lost, but the session is not.
      await until(() => client.call('test_simple_text', {}).catch(() => undefined));
      for (let n = 0; n < 6; n++)
        expect(await client.call('test_simple_text', {})).toMatchObject({ content: [{ type: 'text' }] });
      if (connect === connectLegacy) await reconnects();
      await process.start();
    }
    await client.close();
  });
});
