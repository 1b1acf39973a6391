import type { Database } from '@millwright/db';

/** The support for vectors that the database has. */
export interface VectorSupport {
  isInstalled: boolean;
  /** Lengths of vectors for which an index of the nearest vectors exists. */
  indexed: ReadonlySet<number>;
}

/** Time for which the result is cached, in milliseconds. The cache expires, because the extension may be installed while services run. */
const KEPT_MS = 60_000;

const SUPPORT = `
  SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector') AS installed,
         ARRAY(SELECT substring(c.relname FROM '[0-9]+$')::int FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
                WHERE c.relname LIKE 'content\\_vectors\\_nearest\\_%' AND i.indisvalid) AS indexed`;

/** Finds out whether the database has pgvector, at most once a minute. */
export function createVectorSupport(db: Pick<Database, 'prepared'>, now: () => number = () => performance.now()) {
  let known: { until: number; support: Promise<VectorSupport> } | undefined;

  async function read(): Promise<VectorSupport> {
    const [row] = await db.prepared<{ installed: boolean; indexed: number[] }>('vector-support', SUPPORT, []);
    return { isInstalled: row?.installed ?? false, indexed: new Set(row?.indexed) };
  }

  return (): Promise<VectorSupport> => {
    if (known && known.until > now()) return known.support;
    const entry = { until: now() + KEPT_MS, support: read() };
    known = entry;
    entry.support.catch(() => {
      if (known === entry) known = undefined;
    });
    return entry.support;
  };
}
export type FindVectorSupport = ReturnType<typeof createVectorSupport>;
