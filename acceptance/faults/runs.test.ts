import { callers, newToken } from '../harness/calls.js';
import { registerMcpServer } from '../harness/mcp.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';
import { startApprover } from './campaign/approver.js';
import { causeFaults } from './campaign/chaos.js';
import { startClients } from './campaign/clients.js';
import { startDecider } from './campaign/decider.js';
import { startFollowers } from './campaign/followers.js';
import { openRunRecords, type RunRecords } from './campaign/run-records.js';
import { ASKED, startScriptedModel, type ScriptedModel } from './campaign/run-script.js';
import { startToolServers, type ToolServers } from './campaign/tool-servers.js';
import { startTreasurer } from './campaign/treasurer.js';
import * as verify from './campaign/verify.js';
import { runKills, runReplicas } from './config.js';

const CLIENTS = 24;
const FOLLOWERS = 8;
/** Requirement of docs/runs.md. */
const TAKEN_OVER_MS = 15_000;
const END_MS = 120_000;

let model: ScriptedModel;
let tools: ToolServers;
let platform: Platform;
let records: RunRecords;
let token: string;

beforeAll(async () => {
  [model, tools] = await Promise.all([startScriptedModel(), startToolServers()]);
  platform = await startPlatform({
    replicas: { 'runtime-api': runReplicas },
    env: {
      MODEL_BASE_URL: model.url,
      MODEL_NAME: 'house-model',
      RATE_LIMIT_MULTIPLIER: '1000',
      EGRESS_ALLOW_HTTP: 'true',
    },
  });
  records = await openRunRecords(platform.databaseUrl);
  await createAgent();
  token = await newToken(platform, platform.client);
  // It takes no part in runs of agents.
  await Promise.all(platform.of('prompt-api').map((each) => each.terminate()));
});

afterAll(async () => {
  await model.close();
  await records.close();
  await platform.stop();
  await tools.close();
});

async function createAgent(): Promise<void> {
  const { platform: call } = callers(platform);
  const make = async (path: string, body: object) => {
    const answer = await call<{ id: string }>(path, { body });
    expect({ path, status: answer.status, text: answer.text }).toMatchObject({ status: 201 });
    return answer.body.id;
  };
  const plugin = (name: 'pay' | 'look' | 'sign') =>
    make('/plugins', { name, type: 'tool', config: { url: tools.pluginUrl(name) } });
  const asked = await plugin(ASKED);
  const plugin_ids = [await plugin('pay'), await plugin('look'), asked];
  const rule = await call(`/plugins/${asked}/rule`, { method: 'PUT', body: { rule: 'ask', repeatable: false } });
  expect({ status: rule.status, text: rule.text }).toMatchObject({ status: 200 });
  await registerMcpServer(platform, 'Ledger', tools.mcpUrl);
  const { items } = (await call<{ items: { id: string }[] }>('/mcp/servers')).body;
  const given = { plugin_ids, mcp_server_ids: items.map(({ id }) => id) };
  const helper = await make('/agents', { name: 'Helper', description: '', ...given });
  await make('/agents', { name: 'Clerk', description: '', ...given, agent_ids: [helper] });
  await records.read("UPDATE plugins SET repeatable_version = version WHERE name = 'look'");
}

/** Number of changes of each kind, for the table at the end. */
function table(rows: Record<string, string | number>): string {
  return Object.entries(rows)
    .map(([name, value]) => `${name.padEnd(44)}${value}\n`)
    .join('');
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

describe(`${runReplicas} processes of runtime-api killed ${runKills} times during runs with tools`, () => {
  it(
    'lose no run, call nothing twice that is not repeatable, and store each answer once',
    async () => {
      const decider = startDecider(platform.runtimeUrl, token, records, tools.calls);
      const approver = startApprover(platform.runtimeUrl, token, records);
      const treasurer = await startTreasurer(callers(platform).platform);
      const followers = startFollowers(platform.of('runtime-api'), token, records, FOLLOWERS);
      const clients = startClients(`${platform.runtimeUrl}/api/v1/agents/clerk/messages`, token, CLIENTS);
      const faults = await causeFaults(platform.of('runtime-api'), records, runKills, (kills) => {
        model.requests.splice(0); // which are many
        if (kills % 50 === 0) process.stdout.write(`${kills} kills, ${clients.sent.length} messages\n`);
      });
      await treasurer.stop();
      const sent = await clients.stop();
      await until(async () => ((await records.unfinished()) === 0 ? true : undefined), END_MS);
      await Promise.all([decider.stop(), approver.stop()]);
      const { followed, reconnects } = await followers.stop();

      const [steps, changes, messages] = [await records.steps(), await records.changes(), await records.messages()];
      const times = verify.takeOverTimes(changes);
      const [approvals, waits] = [await records.approvals(), await records.waits()];
      process.stdout.write(
        table({
          'kills (SIGKILL)': faults.kills,
          'ends (SIGTERM), freezes of 12 s (SIGSTOP)': `${faults.terminations}, ${faults.freezes}`,
          'leases moved, all connections cut': `${faults.movedLeases}, ${faults.cuts}`,
          'messages sent, runs accepted and completed': `${sent.length}, ${new Set(steps.map(({ run }) => run)).size}`,
          'runs of an agent that another one called': await records.children(),
          'steps, calls that tools received': `${steps.length}, ${tools.calls.length}`,
          'take-overs': times.length,
          'last renewal to take-over, p50, p99, longest': [0.5, 0.99, 1]
            .map((p) => seconds(verify.percentile(times, p)))
            .join(', '),
          'runs followed, connections of their followers': `${followed.length}, ${reconnects}`,
          'waits by reason': JSON.stringify(waits),
          'unknown outcomes decided by a person': decider.decisions.length,
          'calls that needed approval': approvals.length,
          'answers to decisions by status': JSON.stringify(Object.fromEntries(approver.statuses)),
          'answers of the model': model.answered(),
        }),
      );
      expect({
        runs: await verify.checkRuns(records, sent),
        calls: verify.checkCalls(tools.calls, steps),
        conversations: verify.checkConversations(messages),
        steps: verify.checkSteps(steps, decider.decisions),
        events: await verify.checkEvents(records),
        followers: await verify.checkFollowers(records, followed),
        approvals: verify.checkApprovals(approvals, tools.calls),
        usage: await verify.checkUsage(records, model.answered()),
      }).toEqual({
        ...{ runs: [], calls: [], conversations: [], steps: [], events: [], followers: [], approvals: [], usage: [] },
      });
      expect(await records.children()).toBeGreaterThan(0);
      // Proves that the faults affected runs and their followers.
      expect([times.length > 0, reconnects > followed.length]).toEqual([true, true]);
      expect(Object.keys(waits)).toEqual(expect.arrayContaining(['approval', 'budget', 'child', 'outcome']));
      expect(verify.percentile(times, 0.99)).toBeLessThan(TAKEN_OVER_MS);
    },
    300_000 + runKills * 10_000,
  );
});
