import { sealTrail, type SealKey } from '@millwright/audit';
import { expireOneTime } from '@millwright/auth';
import { refreshMcpServers, type McpDeps } from '@millwright/catalog';
import { forgetOldHours, type Database } from '@millwright/db';
import type { Extensions, JobCall, RunDetail } from '@millwright/jobs';
import { rollUpUsage } from '@millwright/models';

export interface ExtensionDeps {
  db: Database;
  /** Seals the trail. */
  signingKey: () => SealKey;
  /** The way to MCP servers, and what opens their secrets. */
  mcp: Pick<McpDeps, 'fetch' | 'secrets'>;
}

/** Work in parts that are safe to repeat; the run ends when they are done. */
const inSteps = (work: (call: JobCall) => Promise<RunDetail>) => async (call: JobCall) => {
  const detail = await work(call);
  return call.commit(() => Promise.resolve(detail));
};

/** What `config/jobs.yaml` may name. */
export const createExtensions = ({ db, signingKey, mcp }: ExtensionDeps): Extensions => ({
  'expire-one-time': inSteps(({ step }) => expireOneTime(step)),
  'refresh-mcp-tools': inSteps(async ({ step, actor, signal }) => ({
    probed: await refreshMcpServers({ ...mcp, db, transaction: step, signal }, actor),
  })),
  'roll-up-analytics': inSteps(async ({ step, tick }) => ({
    ...(await rollUpUsage(step, tick)),
    hours_forgotten: await step((tx) => forgetOldHours(tx, tick)),
  })),
  'seal-audit': inSteps(async ({ step }) => ({ ...(await sealTrail(db, signingKey(), step)) })),
});
