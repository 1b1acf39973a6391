import { removeOldAuditRows, sealAuditLog, type SealKey, type TrustedKeys } from '@millwright/audit';
import { returnExpired } from '@millwright/budgets';
import { refreshMcpServers, type McpDeps } from '@millwright/mcp/refresh-servers';
import { forgetConversations, forgetOldHours, type Database } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import type { JobHandlers, JobCall, RunDetail } from '@millwright/jobs';
import { rollUpUsage } from '@millwright/models/usage';
import { verifyNextParts } from '../audit/verify-in-parts.js';
import { applyRetention } from './apply-retention.js';
import { expireOneTime } from './expire-one-time.js';
import { forgetAgents } from './forget-agents.js';
import { forgetContent } from './forget-content.js';
import { forgetPrompts, forgetTriggers, forgetWebhooks } from './forget-deleted.js';
import { keepPartitions } from './keep-partitions.js';
import { remindOfExpiry } from './remind-of-expiry.js';
import { sendOutSeals, type SealReceivers } from './send-out-seals.js';
import { expirePlatformAdminRequests } from '../platform-admins/platform-admins.store.js';
import type { Retention } from './retention-config.js';

export interface JobHandlerDeps {
  db: Database;
  /** Returns the key that seals the audit log. */
  signingKey: () => SealKey;
  /** The fetch function for MCP servers, and `secrets`, which decrypts the stored secrets of these servers. */
  mcp: Pick<McpDeps, 'fetch' | 'secrets'>;
  /** Days after which rows are deleted, by kind of row. */
  retention: Retention;
  /** Days for which sealed rows of the audit log are kept; undefined: for ever. */
  auditRetentionDays: number | undefined;
  /** Loads the keys with which rows of the audit log are verified before they are removed. */
  trustedKeys: () => Promise<TrustedKeys>;
  seals: SealReceivers;
  logger: Pick<Logger, 'warn'>;
}

const DAY_MS = 86_400_000;

/** Makes a job handler of work that consists of repeatable steps. The run ends after the last step. */
const inSteps = (work: (call: JobCall) => Promise<RunDetail>) => async (call: JobCall) => {
  const detail = await work(call);
  return call.commit(() => Promise.resolve(detail));
};

/** Creates the handlers to which `extension` in `config/jobs.yaml` may refer. */
export const createJobHandlers = (deps: JobHandlerDeps): JobHandlers => {
  const { db, signingKey, mcp, retention, seals, logger } = deps;
  return {
    'apply-retention': inSteps(async (call) => ({
      ...(await applyRetention(call.step, retention, call.scheduledAt)),
      audit_rows: await applyAuditRetention(deps, call),
    })),
    'expire-one-time': inSteps(async ({ step, actor }) => {
      await step((tx) => expirePlatformAdminRequests(tx, actor));
      await step(returnExpired);
      return expireOneTime(step);
    }),
    'forget-content': inSteps(async ({ step }) => ({
      ...(await forgetAgents(step)),
      ...(await forgetConversations(step)),
      ...(await forgetPrompts(step)),
      ...(await forgetWebhooks(step)),
      ...(await forgetTriggers(step)),
      ...(await forgetContent(step)),
    })),
    'keep-partitions': inSteps(async ({ step }) => ({ ...(await keepPartitions(step, logger)) })),
    'refresh-mcp-tools': inSteps(async ({ step, actor, signal }) => ({
      probed: await refreshMcpServers({ ...mcp, db, transaction: step, signal }, actor),
    })),
    'remind-of-expiry': inSteps(async ({ step, scheduledAt }) => ({
      reminded: await remindOfExpiry(step, scheduledAt),
    })),
    'roll-up-analytics': inSteps(async ({ step, scheduledAt }) => ({
      ...(await rollUpUsage(step, scheduledAt)),
      hours_forgotten: await step((tx) => forgetOldHours(tx, scheduledAt)),
    })),
    'verify-audit': async (call) => verifyNextParts(db, await deps.trustedKeys(), call),
    'send-seals': inSteps(({ step }) => sendOutSeals(db, step, seals)),
    'seal-audit': inSteps(async ({ step }) => ({ ...(await sealAuditLog(db, signingKey(), step)) })),
  };
};

async function applyAuditRetention(
  { db, signingKey, trustedKeys, auditRetentionDays }: JobHandlerDeps,
  { step, scheduledAt, actor }: JobCall,
): Promise<number> {
  if (auditRetentionDays === undefined) return 0;
  const before = new Date(scheduledAt.getTime() - auditRetentionDays * DAY_MS);
  const { findKey } = await trustedKeys();
  return removeOldAuditRows(db, step, { before, key: signingKey(), findKey, actor });
}
