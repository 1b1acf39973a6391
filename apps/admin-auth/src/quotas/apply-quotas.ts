import { type Database } from '@millwright/db';
import { QUOTA_KINDS, setQuota, type QuotaKind, type QuotaLimit } from '@millwright/db/quotas';
import type { QuotasConfig } from './quotas-config.js';

function limitOf(config: QuotasConfig, kind: QuotaKind): QuotaLimit {
  const name = kind.toUpperCase() as Uppercase<QuotaKind>;
  return { rows: config[`QUOTA_${name}_ROWS`], bytes: config[`QUOTA_${name}_BYTES`] };
}

/** Stores the settings where the triggers of all services read them. */
export const applyQuotas = (db: Database, config: QuotasConfig): Promise<void> =>
  db.transaction(async (tx) => {
    for (const kind of QUOTA_KINDS) await setQuota(tx, kind, limitOf(config, kind));
  });
