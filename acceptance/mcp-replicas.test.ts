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
  // What was under way to a process that dies is lost, and answered 503; the session is not, which would be 404.
  const call = () =>
    client.call('test_simple_text', {}).catch((error: unknown) => {
      if (String(error).includes('UNAVAILABLE')) return undefined;
      throw error;
    });
  for (const process of platform.of('runtime-api').slice(0, 2)) {
    process.kill('SIGKILL');
    for (let n = 0; n < 4; n++) expect(await until(call)).toMatchObject({ content: [{ type: 'text' }] });
  }
  await client.close();
}, 60_000);
