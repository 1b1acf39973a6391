import { listProjects } from '@millwright/accounts/projects';
import { type Database } from '@millwright/db';
import { quotaShare, readQuotas } from '@millwright/db/quotas';
import type { Logger, Metrics } from '@millwright/http/process';
import { Gauge } from 'prom-client';

/** Used share of a quota above which a warning is logged. */
const WARN_SHARE = 0.8;
const EVERY_MS = 60_000;

export interface WatchQuotasOptions {
  db: Pick<Database, 'prepared' | 'prisma'>;
  logger: Pick<Logger, 'warn'>;
  metrics: Pick<Metrics, 'registry'>;
}

export interface QuotaWatch {
  /** Reads every quota, and logs each quota whose usage has passed 80 % since the last read. */
  check: () => Promise<void>;
  stop: () => void;
}

/** Shows the used share of every quota as a metric, and logs when a share passes 80 %. */
export function watchQuotas({ db, logger, metrics }: WatchQuotasOptions): QuotaWatch {
  const shares = new Gauge({
    name: 'quota_used_ratio',
    help: 'Used share of a quota: the larger one of its rows and bytes',
    labelNames: ['project', 'kind'],
    registers: [metrics.registry],
  });
  const warned = new Set<string>();

  async function check(): Promise<void> {
    const projects = (await listProjects(db.prisma)).map(({ id }) => id);
    const quotas = await readQuotas(db, projects);
    shares.reset(); // removes the series of deleted projects
    for (const quota of quotas) {
      const { project, kind, used, limit } = quota;
      const [share, key] = [quotaShare(quota), `${project} ${kind}`];
      shares.set({ project, kind }, share);
      if (share < WARN_SHARE) warned.delete(key);
      else if (!warned.has(key)) {
        warned.add(key);
        logger.warn({ event: 'quota.nearly_used', project, kind, used, limit }, 'a quota is nearly used up');
      }
    }
  }

  // While the database is unreachable, the gauge keeps its last values.
  const repeat = () => void check().catch(() => undefined);
  const timer = setInterval(repeat, EVERY_MS).unref();
  repeat();
  return { check, stop: () => clearInterval(timer) };
}
