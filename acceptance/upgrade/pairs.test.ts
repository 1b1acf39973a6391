import { Console } from 'node:console';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeMcpServer, createFakeModel, type FakeMcpServer, type FakeModel } from '@millwright/testing';
import type { ServiceName } from '../harness/service.js';
import { until } from '../harness/until.js';
import { buildFormerRelease } from './former-release.js';
import {
  createInstallation,
  NAMES,
  VERSIONS,
  type Combination,
  type Installation,
  type Version,
} from './installation.js';
import { createWork, type Work } from './work.js';

/*
 * An upgrade from a former release, with real processes of both versions on one database. The former services fill the database, and
 * continue under load while today's command line migrates it. Then requests pass through each combination of versions of the five services.
 * The processes of both versions run meanwhile, so either version may take a run, a job or a notification. Out of scope: the rolling update
 * itself, which `npm run rollout` performs, and large tables, which `npm run faults:migrations` has.
 */

/** Number of requests before the migration, and number of concurrent clients. */
const FILLED = 600;
const CLIENTS = 4;
/** Number of clients that do the work once, all at the same time, for each combination. */
const ROUNDS = 8;

let folder: string;
let former: Awaited<ReturnType<typeof buildFormerRelease>>;
let model: FakeModel;
let scales: FakeMcpServer;
let installation: Installation;
let work: Work;

const everywhere = (version: Version) => Object.fromEntries(NAMES.map((name) => [name, version])) as Combination;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-upgrade-'));
  const begun = performance.now();
  former = await buildFormerRelease(join(folder, 'former'));
  process.stdout.write(`former release: ${former.commit}, built in ${seconds(begun)} s\n`);
  const tool = { name: 'weigh', description: 'Weighs.', inputSchema: { type: 'object' } };
  [model, scales] = await Promise.all([createFakeModel(), createFakeMcpServer('modern', [tool])]);
  answerForEveryone(model);
  const env = { MODEL_BASE_URL: model.url, MODEL_API_KEY: 'model-key', MODEL_NAME: 'house-model' };
  installation = await createInstallation(folder, join(folder, 'former'), env);
  await installation.start('former');
  await installation.use(everywhere('former'));
  const { code = '' } = await installation.operator('former', 'device-code', 'create', '--email', 'operator@localhost');
  work = await createWork(installation, code, scales.url);
}, 900_000);
afterAll(async () => {
  await installation.stop();
  await Promise.all([model.close(), scales.close()]);
  await former.remove();
  rmSync(folder, { recursive: true, force: true });
});

const seconds = (since: number) => ((performance.now() - since) / 1_000).toFixed(1);

/** Makes the model answer a prompt by its output schema, and a message to an agent with a tool call and then with the tool's result. */
function answerForEveryone(fake: FakeModel): void {
  fake.answerWith(({ body }) => {
    const { messages, tools = [] } = body as unknown as {
      messages: { role: string; content: string }[];
      tools?: { function: { name: string } }[];
    };
    const weigh = tools.map((tool) => tool.function.name).find((name) => name.endsWith('weigh'));
    if (weigh === undefined) return '{"stars":5}';
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
    if (messages.at(-1)?.role === 'tool') return `Tool: ${results.at(-1)}`;
    const call = { id: 'call_1', type: 'function' as const, function: { name: weigh, arguments: '{"grams":5}' } };
    return { content: null, toolCalls: [call] };
  });
}

/** Runs an action. @returns its failures and its number of requests */
async function during(title: string, action: () => Promise<unknown>) {
  const before = { sent: work.sent, failed: work.failed.length };
  await action();
  const failed = work.failed.slice(before.failed);
  const sent = work.sent - before.sent;
  if (title !== '') process.stdout.write(`${title}: ${sent} requests, ${failed.length} failed\n`);
  return { sent, failed };
}

/** Fails with the warnings and errors of the services. */
function expectNone(failed: readonly string[]): void {
  const complaints = failed.length > 0 ? installation.complaints().slice(-15) : [];
  expect({ failed: failed.slice(0, 10), complaints }).toEqual({ failed: [], complaints: [] });
}

describe('the migrations of this release', () => {
  it('are applied to the database while the former services answer every request', async () => {
    const stop = work.begin(CLIENTS);
    const filled = await during('the former release alone', () =>
      until(() => (work.sent >= FILLED ? true : undefined), 600_000),
    );
    expectNone(filled.failed);
    const begun = performance.now();
    const migrated = await during('during the migration', async () => {
      const { applied } = await installation.operator<{ applied: string[] }>('today', 'db', 'migrate', '--roles');
      process.stdout.write(`${applied.length} migrations applied in ${seconds(begun)} s\n`);
      expect(applied.length).toBeGreaterThan(0);
      const enough = work.sent + FILLED / 2;
      await until(() => (work.sent >= enough ? true : undefined), 600_000);
    });
    await stop();
    expectNone([...migrated.failed, ...work.failed]);
  }, 1_800_000);

  it('let the services of this release become ready beside the former services, under load', async () => {
    const stop = work.begin(1);
    const started = await during('while the services of today started', () => installation.start('today'));
    await stop();
    expectNone(started.failed);
  });
});

/** All combinations in an order in which each combination differs from the preceding one by one service. */
const COMBINATIONS = Array.from({ length: 2 ** NAMES.length }, (_none, n) => {
  const gray = n ^ (n >> 1);
  return Object.fromEntries(NAMES.map((name, at) => [name, VERSIONS[(gray >> at) & 1]])) as Combination;
});
const nameOf = (combination: Combination) => {
  const today = NAMES.filter((name) => combination[name] === 'today');
  return today.length === 0 ? 'no service of today' : today.join(', ');
};
const results: { combination: Combination; sent: number; failed: number }[] = [];

describe('services of two releases beside each other', () => {
  it.each(COMBINATIONS.map((combination) => [nameOf(combination), combination] as const))(
    'work when %s is of this release and the other services are of the former release',
    async (_name, combination) => {
      await installation.use(combination);
      const idle = NAMES.map((name) => [name, combination[name] === 'today' ? 'former' : 'today'] as const);
      const before = idle.map(([name, version]) => installation.answered(name, version));
      const { sent, failed } = await during('', () => Promise.all(Array.from({ length: ROUNDS }, () => work.once())));
      results.push({ combination, sent, failed: failed.length });
      expectNone(failed);
      // Processes of the versions that are not in use have answered no request.
      expect(idle.map(([name, version]) => installation.answered(name, version))).toEqual(before);
    },
  );

  it('were tested in every combination, and no request failed', () => {
    const pairs = NAMES.flatMap((one, at) => NAMES.slice(at + 1).map((other) => [one, other] as const));
    const rows = pairs.map(([one, other]) => ({ pair: `${one}, ${other}`, ...columnsOf(one, other) }));
    new Console(process.stdout).table(rows);
    const total = results.reduce((sum, { sent }) => sum + sent, 0);
    process.stdout.write(`${results.length} combinations, ${total} requests\n`);
    expect(results).toHaveLength(2 ** NAMES.length);
    expect(rows.flatMap((row) => Object.values(row)).filter((cell) => /^0 |, [1-9]\d* failed$/.test(cell))).toEqual([]);
    for (const name of NAMES)
      for (const version of VERSIONS) expect(installation.answered(name, version)).toBeGreaterThan(0);
  });
});

/** Returns the requests and failures of a pair of services, by the versions of both services. */
function columnsOf(one: ServiceName, other: ServiceName): Record<string, string> {
  const columns = VERSIONS.flatMap((first) => VERSIONS.map((second) => [first, second] as const));
  return Object.fromEntries(
    columns.map(([first, second]) => {
      const own = results.filter(({ combination }) => combination[one] === first && combination[other] === second);
      const sum = (of: 'sent' | 'failed') => own.reduce((total, result) => total + result[of], 0);
      return [`${first}, ${second}`, `${sum('sent')} requests, ${sum('failed')} failed`];
    }),
  );
}
