import { sealAuditLog, type SealKey } from '@millwright/audit';
import { refreshMcpServers, type McpDeps } from '@millwright/mcp';
import { forgetOldHours, type Database } from '@millwright/db';
import type { JobHandlers, JobCall, RunDetail } from '@millwright/jobs';
import { rollUpUsage } from '@millwright/models';
import { applyRetention } from './apply-retention.js';
import { expireOneTime } from './expire-one-time.js';
import { forgetAgents } from './forget-agents.js';
import { forgetContent } from './forget-content.js';
import { sendOutSeals, type SealReceivers } from './send-out-seals.js';
import type { Retention } from './retention-config.js';

export interface JobHandlerDeps {
  db: Database;
  /** Key that seals the audit log. */
  signingKey: () => SealKey;
  /** Client and secrets for MCP servers. */
  mcp: Pick<McpDeps, 'fetch' | 'secrets'>;
  /** How long conversations and usage are kept. */
  retention: Retention;
  seals: SealReceivers;
}

/** Handler of work in steps that are safe to repeat; the run ends after the last one. */
const inSteps = (work: (call: JobCall) => Promise<RunDetail>) => async (call: JobCall) => {
  const detail = await work(call);
  return call.commit(() => Promise.resolve(detail));
};

/** Handlers that `extension` in `config/jobs.yaml` may name. */
export const createJobHandlers = ({ db, signingKey, mcp, retention, seals }: JobHandlerDeps): JobHandlers => ({
  'apply-retention': inSteps(({ step, scheduledAt }) => applyRetention(step, retention, scheduledAt)),
  'expire-one-time': inSteps(({ step }) => expireOneTime(step)),
  'forget-content': inSteps(async ({ step }) => ({ ...(await forgetAgents(step)), ...(await forgetContent(step)) })),
  'refresh-mcp-tools': inSteps(async ({ step, actor, signal }) => ({
    probed: await refreshMcpServers({ ...mcp, db, transaction: step, signal }, actor),
  })),
  'roll-up-analytics': inSteps(async ({ step, scheduledAt }) => ({
    ...(await rollUpUsage(step, scheduledAt)),
    hours_forgotten: await step((tx) => forgetOldHours(tx, scheduledAt)),
  })),
  'send-seals': inSteps(({ step }) => sendOutSeals(db, step, seals)),
  'seal-audit': inSteps(async ({ step }) => ({ ...(await sealAuditLog(db, signingKey(), step)) })),
});
