// @ts-check
import { setTimeout as pause } from 'node:timers/promises';
import { importSources } from '../jest/native/modules.mjs';

importSources();
const { sealAuditLog } = await import('@millwright/audit');
const { newSigningKey } = await import('@millwright/auth/signing-keys');
const { createDatabase } = await import('@millwright/db');
const { rollUpUsage } = await import('@millwright/models/usage');

/** Interval at which new audit rows are sealed while other rows are inserted. */
const SEAL_MS = 500;
const POOL_MAX = 2;
const DAY_MS = 86_400_000;

/**
 * Completes seeded rows by code of the product: seals the audit log and adds up the usage. The key of the seals exists only in this process.
 *
 * @param {string} url @param {(line: string) => void} say
 */
export async function createFinisher(url, say) {
  const db = createDatabase({ url, poolMax: POOL_MAX });
  const key = await newSigningKey();
  // The key is retired from the start: its seals are verified, but other signatures by the key are refused.
  await db.prepared(
    'add-seed-key',
    "INSERT INTO signing_keys (kid, issuer, public_jwk, retired_at) VALUES ($1, 'admin-auth', $2, now())",
    [key.kid, JSON.stringify(key.publicJwk)],
  );
  const stopping = new AbortController();
  let rows = 0;
  const seal = async () => {
    const sealed = await sealAuditLog(db, key);
    rows += sealed.rows;
    return sealed;
  };
  const sealing = sealUntilStopped();
  // A failure of the sealing is thrown by `finish`, which awaits it. Until then, it must not count as an unhandled rejection.
  sealing.catch(() => undefined);
  async function sealUntilStopped() {
    while (!stopping.signal.aborted) {
      await seal();
      await pause(SEAL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    /** Call this function after the last row was inserted. @param {{ from: Date, until: Date }} period that was seeded */
    async finish({ from, until }) {
      stopping.abort();
      await sealing;
      say(`sealing the audit log: ${rows} rows are sealed`);
      while ((await seal()).waiting) await pause(SEAL_MS);
      say(`sealed ${rows} audit rows`);
      const dayAfter = new Date(Math.min(until.getTime() + DAY_MS, Date.now()));
      const { days } = await rollUpUsage((work) => db.transaction(work), dayAfter, from);
      say(`added up the usage of ${days} days`);
      // PostgreSQL's planner needs statistics of these new rows.
      await db.prisma.$executeRaw`ANALYZE usage_days, usage_subject_days, usage_key_days, usage_tool_days, audit_seals`;
    },
    async close() {
      stopping.abort();
      await sealing.catch(() => undefined);
      await db.close();
    },
  };
}
