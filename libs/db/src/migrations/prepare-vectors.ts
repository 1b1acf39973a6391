import type pg from 'pg';
import { connect } from './migrate.js';

/** Number of vectors of one length from which an index of the nearest vectors is created. Fewer vectors are compared one by one. */
const INDEXED_FROM = 10_000;
/** SQLSTATE insufficient_privilege. */
const NO_RIGHT = '42501';

export interface VectorState {
  /** Version of pgvector; null when the extension does not exist. */
  pgvector: string | null;
  /** Reason why the extension does not exist. */
  reason?: string;
  /** Lengths of vectors for which an index of the nearest vectors exists. */
  indexed?: number[];
}

/**
 * Creates the extension pgvector if the server has its files, and an index of the nearest vectors for each length with many vectors.
 * Without the extension, knowledge is searched by words only. May be repeated at any time, also while services run.
 */
export async function prepareVectors(url: string, indexedFrom = INDEXED_FROM): Promise<VectorState> {
  const client = await connect(url);
  try {
    const missing = await createExtension(client);
    if (missing !== undefined) return { pgvector: null, reason: missing };
    const { rows } = await client.query<{ version: string }>(
      "SELECT extversion AS version FROM pg_extension WHERE extname = 'vector'",
    );
    return { pgvector: rows[0]?.version ?? null, indexed: await indexNearest(client, indexedFrom) };
  } finally {
    await client.end();
  }
}

/** @returns the reason why the extension cannot be created; undefined when it exists */
async function createExtension(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query("SELECT FROM pg_available_extensions WHERE name = 'vector'");
  if (rows.length === 0) return 'the PostgreSQL server has no pgvector: install its package there';
  try {
    await client.query('CREATE EXTENSION IF NOT EXISTS vector SCHEMA public');
    return undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code !== NO_RIGHT) throw error;
    return 'this user may not create the extension: have a superuser run CREATE EXTENSION vector';
  }
}

async function indexNearest(client: pg.Client, indexedFrom: number): Promise<number[]> {
  const { rows } = await client.query<{ length: number; count: number }>(
    'SELECT length, count(*)::int AS count FROM content_vectors GROUP BY length ORDER BY length',
  );
  const lengths = rows.filter(({ count }) => count >= indexedFrom).map(({ length }) => length);
  for (const length of lengths) {
    const name = `content_vectors_nearest_${length}`;
    const invalid = await client.query('SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid', [
      name,
    ]);
    if (invalid.rows.length > 0) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
    await client.query(`
      CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON content_vectors
       USING hnsw ((vector::vector(${length})) vector_cosine_ops) WHERE length = ${length}`);
  }
  // The index contains the vectors of all projects. When the nearest vectors belong to another project, a search must read further in the
  // index. This setting allows that, and needs pgvector 0.8.
  if (lengths.length > 0)
    await client.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET hnsw.iterative_scan = relaxed_order', current_database());
    EXCEPTION WHEN insufficient_privilege OR undefined_object OR invalid_parameter_value THEN NULL;
    END $$`);
  return lengths;
}
