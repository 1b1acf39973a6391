import { runCampaign, printTable, startCampaign, type Campaign } from './campaign/campaign.js';
import { causeFaults, type Faults } from './campaign/chaos.js';
import { percentile } from './campaign/verify.js';
import { runKills, runReplicas } from './config.js';

/** Time limits that docs/runs.md states. */
const TAKEN_OVER_MS = 15_000;
const IN_INBOX_MS = 30_000;

let campaign: Campaign;
beforeAll(async () => {
  campaign = await startCampaign({ replicas: runReplicas, env: {} });
});
afterAll(() => campaign.close());

describe(`${runKills} kills among the ${runReplicas} processes of runtime-api during runs with tools`, () => {
  it(
    'cause no lost run, no repeated call of a non-repeatable tool, and no answer stored twice',
    async () => {
      const { platform, records, model } = campaign;
      let faults: Faults | undefined;
      const outcome = await runCampaign(campaign, async ({ messages }) => {
        faults = await causeFaults(platform.of('runtime-api'), records, runKills, (kills) => {
          model.requests.splice(0); // drops the recorded requests, which are many
          if (kills % 50 === 0) process.stdout.write(`${kills} kills, ${messages()} messages\n`);
        });
      });
      const { takeOverMs, inboxMs, waits, figures, violations } = outcome;
      printTable({
        'kills (SIGKILL)': faults?.kills ?? 0,
        'ends (SIGTERM), freezes of 12 s (SIGSTOP)': `${faults?.terminations}, ${faults?.freezes}`,
        'leases moved, all connections cut': `${faults?.movedLeases}, ${faults?.cuts}`,
        ...figures,
      });
      expect(Object.values(violations).flat()).toEqual([]);
      // Proves that the faults affected runs and their followers.
      expect(outcome.childRuns).toBeGreaterThan(0);
      expect(takeOverMs.length).toBeGreaterThan(0);
      expect(outcome.connections).toBeGreaterThan(outcome.followedRuns);
      expect(Object.keys(waits)).toEqual(expect.arrayContaining(['approval', 'budget', 'child', 'outcome']));
      expect(percentile(takeOverMs, 0.99)).toBeLessThan(TAKEN_OVER_MS);
      expect(percentile(inboxMs, 1)).toBeLessThan(IN_INBOX_MS);
    },
    300_000 + runKills * 10_000,
  );
});
