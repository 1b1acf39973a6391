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
    startPlatform({ replicas: { 'runtime-api': 3, 'prompt-api': 0 } }),
    startExampleServer('2025-11-25'),
  ]);
});
afterAll(async () => {
  await platform.stop();
  await server.close();
});

/** A short form of the test in `npm run faults`, which kills every process and uses clients and servers of both MCP versions. */
it('an MCP session continues when two of three processes are killed', async () => {
  const endpoint = await registerMcpServer(platform, 'sessions', server.url);
  const client = await connectLegacy(endpoint, await newToken(platform, platform.client));
  // Requests in flight to a killed process are answered 503. A lost session would be 404.
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
});
