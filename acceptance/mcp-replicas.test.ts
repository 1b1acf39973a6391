import { startExampleServer, type ExampleServer } from './conformance/example-server.js';
import { newToken } from './harness/calls.js';
import { connectLegacy } from './harness/mcp-clients.js';
import { registerMcpServer } from './harness/mcp.js';
import { startPlatform, type Platform } from './harness/platform.js';
import { until } from './harness/until.js';

let platform: Platform;
let server: ExampleServer;

beforeAll(async () => {
  [platform, server] = await Promise.all([
    startPlatform({ replicas: { 'runtime-api': 3 } }),
    startExampleServer('2025-11-25'),
  ]);
}, 60_000);
afterAll(async () => {
  await platform.stop();
  await server.close();
});

/** `npm run faults` kills every process in turn, for clients and servers of both eras, and listens for what the server says. */
it('a session goes on when two of three processes are killed', async () => {
  const endpoint = await registerMcpServer(platform, 'sessions', server.url);
  const client = await connectLegacy(endpoint, await newToken(platform, platform.client));
  for (const process of platform.of('runtime-api').slice(0, 2)) {
    process.kill('SIGKILL');
    // What was under way at that moment is lost; the session is not.
    await until(() => client.call('test_simple_text', {}).catch(() => undefined));
    for (let n = 0; n < 3; n++)
      expect(await client.call('test_simple_text', {})).toMatchObject({ content: [{ type: 'text' }] });
  }
  await client.close();
}, 60_000);
