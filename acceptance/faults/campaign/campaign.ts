import { callers, newToken } from '../../harness/calls.js';
import { registerMcpServer } from '../../harness/mcp.js';
import { startPlatform, type Platform, type PlatformOptions } from '../../harness/platform.js';
import { until } from '../../harness/until.js';
import { startApprover } from './approver.js';
import { startClients } from './clients.js';
import { startDecider } from './decider.js';
import { startFollowers } from './followers.js';
import { openRunRecords, type RunRecords } from './run-records.js';
import { ASKED, MODELS, startScriptedModel, type ScriptedModel, type ScriptOptions } from './run-script.js';
import { startToolServers, type ToolServers } from './tool-servers.js';
import { startTreasurer } from './treasurer.js';
import * as verify from './verify.js';

const CLIENTS = 24;
const FOLLOWERS = 8;
const END_MS = 120_000;

export interface CampaignOptions extends ScriptOptions {
  /** Number of processes of runtime-api. */
  replicas: number;
  /** The database of the installation. Default: a new database on the test run's server. */
  database?: PlatformOptions['database'];
  env: Record<string, string>;
  /** Returns environment variables for the models of the server at `url`. Default: one model. */
  models?: (url: string) => Record<string, string>;
}

/** An installation whose agents have tools that record their calls. */
export interface Campaign {
  platform: Platform;
  records: RunRecords;
  model: ScriptedModel;
  tools: ToolServers;
  token: string;
  script: ScriptOptions;
  close: () => Promise<void>;
}

const oneModel = (url: string) => ({ MODEL_BASE_URL: url, MODEL_NAME: MODELS.first });

export async function startCampaign(options: CampaignOptions): Promise<Campaign> {
  const { replicas, database, env, models = oneModel, ...script } = options;
  const [model, tools] = await Promise.all([startScriptedModel(script), startToolServers()]);
  const platform = await startPlatform({
    replicas: { 'runtime-api': replicas },
    ...(database && { database }),
    env: {
      ...models(model.url),
      RATE_LIMIT_MULTIPLIER: '1000',
      EGRESS_ALLOW_HTTP: 'true',
      ...env,
    },
  });
  const records = await openRunRecords(platform.databaseUrl);
  await createAgents(platform, records, tools);
  const token = await newToken(platform, platform.client);
  // Ends the processes of the prompt API, which runs of agents do not need.
  await Promise.all(platform.of('prompt-api').map((each) => each.terminate()));
  return {
    ...{ platform, records, model, tools, token, script },
    async close() {
      await model.close();
      await records.close();
      await platform.stop();
      await tools.close();
    },
  };
}

async function createAgents(platform: Platform, records: RunRecords, tools: ToolServers): Promise<void> {
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

/** Results of a campaign after the end of all its runs. */
export interface Outcome {
  /** Figures for the table that is printed at the end. */
  figures: Record<string, string | number>;
  /** Violations of the installation's guarantees by kind; each list is empty when all guarantees hold. */
  violations: Record<string, verify.Violations>;
  /** Milliseconds from the last renewal of a lost worker's lease to the take-over of its run. */
  takeOverMs: number[];
  /** Milliseconds from the last renewal of a lost worker's lease until its run waits for a person's decision about a call. */
  inboxMs: number[];
  waits: Record<string, number>;
  childRuns: number;
  followedRuns: number;
  /** Number of connections of all followers. */
  connections: number;
}

/**
 * While `causeFaults` works, sends messages, decides about calls and waiting runs, and follows runs. Then waits until all runs have ended, and
 * verifies the stored records.
 */
export async function runCampaign(
  { platform, records, model, tools, token, script }: Campaign,
  causeFaults: (progress: { messages: () => number }) => Promise<unknown>,
): Promise<Outcome> {
  const decider = startDecider(platform.runtimeUrl, token, records, tools.calls);
  const approver = startApprover(platform.runtimeUrl, token, records);
  const treasurer = await startTreasurer(callers(platform).platform);
  const followers = startFollowers(platform.of('runtime-api'), token, records, FOLLOWERS);
  const url = `${platform.runtimeUrl}/api/v1/agents/clerk/messages`;
  const clients = startClients(url, token, CLIENTS, script);
  await causeFaults({ messages: () => clients.sent.length });
  await treasurer.stop();
  const sent = await clients.stop();
  await until(async () => ((await records.unfinished()) === 0 ? true : undefined), END_MS);
  await Promise.all([decider.stop(), approver.stop()]);
  const { followed, reconnects } = await followers.stop();

  const [steps, changes, messages] = [await records.steps(), await records.changes(), await records.messages()];
  const [takeOverMs, inboxMs] = [verify.takeOverTimes(changes), verify.inboxTimes(changes)];
  const [approvals, waits, childRuns] = [await records.approvals(), await records.waits(), await records.children()];
  return {
    ...{ takeOverMs, inboxMs, waits, childRuns, followedRuns: followed.length, connections: reconnects },
    figures: {
      'messages sent, runs accepted and completed': `${sent.length}, ${new Set(steps.map(({ run }) => run)).size}`,
      'runs of an agent that another one called': childRuns,
      'steps, calls that tools received': `${steps.length}, ${tools.calls.length}`,
      'take-overs': takeOverMs.length,
      'last renewal to take-over, p50, p99, longest': percentiles(takeOverMs),
      'runs followed, connections of their followers': `${followed.length}, ${reconnects}`,
      'waits by reason': JSON.stringify(waits),
      'last renewal to inbox, p50, p99, longest': percentiles(inboxMs),
      'unknown outcomes decided by a person': decider.decisions.length,
      'calls that needed approval': approvals.length,
      'answers to decisions by status': JSON.stringify(Object.fromEntries(approver.statuses)),
      'answers of the model': model.answered(),
    },
    violations: {
      runs: await verify.checkRuns(records, sent),
      calls: verify.checkCalls(tools.calls, steps),
      conversations: verify.checkConversations(messages),
      steps: verify.checkSteps(steps, decider.decisions),
      events: await verify.checkEvents(records),
      followers: await verify.checkFollowers(records, followed),
      approvals: verify.checkApprovals(approvals, tools.calls),
      usage: await verify.checkUsage(records, model.answered()),
    },
  };
}

const percentiles = (times: readonly number[]) =>
  [0.5, 0.99, 1].map((share) => `${(verify.percentile(times, share) / 1_000).toFixed(1)} s`).join(', ');

/** Writes figures as a table with one line each. */
export function printTable(rows: Record<string, string | number>): void {
  const lines = Object.entries(rows).map(([name, value]) => `${name.padEnd(52)}${value}\n`);
  process.stdout.write(lines.join(''));
}
