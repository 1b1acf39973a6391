import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCampaign, printTable, startCampaign, type Campaign } from './campaign/campaign.js';
import { MODELS } from './campaign/run-script.js';
import { killStores, startStores, type StoreFaults, type Stores } from './campaign/stores.js';
import { percentile } from './campaign/verify.js';
import { runReplicas, runStoreKills } from './config.js';

/** Time limit that docs/runs.md states: from the loss of a worker until its run waits for a person's decision. */
const IN_INBOX_MS = 30_000;
/** Time limits of one call, short so that many calls reach them. */
const MODEL_MS = 1_500;
const TOOL_MS = '2000';

let folder: string;
let stores: Stores;
let campaign: Campaign;

/** Returns settings for two models of one server. The second model is called when the first model hangs. */
function modelsAt(url: string): Record<string, string> {
  const file = join(folder, 'models.yaml');
  const models = [
    { name: MODELS.first, endpoint: url, timeout_ms: MODEL_MS, fallbacks: [MODELS.fallback] },
    { name: MODELS.fallback, endpoint: url },
  ];
  writeFileSync(file, JSON.stringify({ models }));
  return { MODELS_FILE: file };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-run-stores-'));
  stores = await startStores();
  campaign = await startCampaign({
    replicas: runReplicas,
    database: stores.database,
    env: { REDIS_URL: stores.redisUrl, TOOL_TIMEOUT_MS: TOOL_MS },
    models: modelsAt,
    hangs: true,
  });
});
afterAll(async () => {
  await campaign.close();
  await stores.close();
  rmSync(folder, { recursive: true });
});

describe(`${runStoreKills} kills of PostgreSQL and ${runStoreKills} of Redis, with a model that hangs and a tool that never answers,`, () => {
  it(
    'cause no lost run, no repeated call of a non-repeatable tool, and no answer stored twice',
    async () => {
      const { platform, model, tools } = campaign;
      let faults: StoreFaults | undefined;
      const outcome = await runCampaign(campaign, async ({ messages }) => {
        faults = await killStores(stores, platform.of('runtime-api'), runStoreKills, ({ postgres, redis }) => {
          model.requests.splice(0); // drops the recorded requests, which are many
          if (redis === postgres && redis % 10 === 0)
            process.stdout.write(`${postgres} and ${redis} kills, ${messages()} messages\n`);
        });
      });
      const { inboxMs, takeOverMs, waits, figures, violations } = outcome;
      const stalled = tools.calls.filter(({ tool }) => tool === 'ledger__stall').length;
      printTable({
        'kills of PostgreSQL, of Redis, of processes': Object.values(faults ?? {}).join(', '),
        'calls that were never answered': stalled,
        ...figures,
      });
      expect(Object.values(violations).flat()).toEqual([]);
      // Proves that the faults affected runs.
      expect(stalled).toBeGreaterThan(0);
      expect(takeOverMs.length).toBeGreaterThan(0);
      expect(outcome.connections).toBeGreaterThan(outcome.followedRuns);
      expect(Object.keys(waits)).toEqual(expect.arrayContaining(['approval', 'outcome']));
      expect(percentile(inboxMs, 1)).toBeLessThan(IN_INBOX_MS);
    },
    300_000 + runStoreKills * 40_000,
  );
});
