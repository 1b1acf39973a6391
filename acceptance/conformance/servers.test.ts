import { newToken } from '../harness/calls.js';
import { registerMcpServer } from '../harness/mcp.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { DIFFERENCES } from './differences.js';
import { startExampleServer, type Era, type ExampleVersions } from './example-server.js';
import { runServerSuite, type Outcomes } from './runner.js';
import { startTokenHop } from './token-hop.js';

const ERAS: readonly Era[] = ['2025-11-25', '2026-07-28'];
/** The MCP versions that each example server supports, and the revisions whose requirements the server meets on direct access. */
const SERVERS: readonly [ExampleVersions, readonly Era[]][] = [
  ['2025-11-25', ['2025-11-25']],
  ['2026-07-28', ['2026-07-28']],
  ['both', ERAS],
];
const table: Record<string, string | number>[] = [];

let platform: Platform;
let token: string;

beforeAll(async () => {
  platform = await startPlatform({ env: { RATE_LIMIT_MULTIPLIER: '100' } });
  token = await newToken(platform, platform.client);
});
afterAll(async () => {
  await platform.stop();
  console.table(table);
});

const failedIn = (outcomes: Outcomes) => Object.keys(outcomes).filter((name) => outcomes[name] !== 'passed');

function note(server: ExampleVersions, revision: Era, way: string, outcomes: Outcomes): void {
  const failed = failedIn(outcomes);
  const passed = Object.keys(outcomes).length - failed.length;
  table.push({ server, requirements: revision, way, passed, failed: failed.length });
  for (const name of failed) console.log(`${server} ${way} ${revision} ${name}`, outcomes[name]);
}

describe.each(SERVERS)('the example server of the MCP version %s', (server, revisions) => {
  it.each(revisions)('meets the requirements of version %s when the runner connects directly', async (revision) => {
    const example = await startExampleServer(server);
    const outcomes = await runServerSuite(example.url, revision);
    await example.close();
    note(server, revision, 'directly', outcomes);
    expect(failedIn(outcomes)).toEqual([]);
  });

  it.each(ERAS)(
    'meets the requirements of version %s when the runner connects through the relay, except for the failures in differences.ts',
    async (revision) => {
      const example = await startExampleServer(server);
      const hop = await startTokenHop(await registerMcpServer(platform, `${server} ${revision}`, example.url), token);
      const outcomes = await runServerSuite(hop.url, revision);
      await hop.close();
      await example.close();
      note(server, revision, 'through the relay', outcomes);
      expect(failedIn(outcomes).sort()).toEqual(Object.keys(DIFFERENCES[server][revision]).sort());
    },
  );
});
