import pg from 'pg';
import { limitSession } from '../limit-session.js';
import type { QuotaKind } from '../quota.js';

/** Difference between the real usage of a project and its counted usage; negative when too much was counted. */
export interface QuotaDrift {
  project: string;
  kind: QuotaKind;
  rows: number;
  bytes: number;
}

const described = (row: string) =>
  [`coalesce(octet_length(${row}.tags::text), 0)`]
    .concat(['title', 'description', 'log_message'].map((column) => `octet_length(${row}.${column})`))
    .join(' + ');
const VERSION = ['instruction', 'input', 'output', 'metadata']
  .map((column) => `octet_length(m.${column}::text)`)
  .join(' + ');
const CONVERSATION_MESSAGE =
  'octet_length(m.content) + octet_length(m.reference::text) + coalesce(octet_length(m.images), 0)';
const CONTEXT_MESSAGE =
  'octet_length(m.content) + coalesce(octet_length(m.tool_calls::text), 0) + coalesce(m.image_bytes, 0)';

/** SQL of the real usage, measured in the same way as the triggers of the migration `quotas` do. */
const RECORDS = `
  SELECT project, 'content' AS kind, octet_length(title) + octet_length(body) + coalesce(octet_length(tags::text), 0) AS bytes FROM content_items
  UNION ALL SELECT project, 'content', octet_length(title) + octet_length(body) + coalesce(octet_length(tags::text), 0) FROM passages
  UNION ALL SELECT project, 'files', size FROM files
  UNION ALL SELECT project, 'prompts', octet_length(r.content) + ${described('r')} FROM artifacts r
  UNION ALL SELECT project, 'prompts', octet_length(r.content) + ${described('r')} FROM blocks r
  UNION ALL SELECT project, 'prompts', 0 FROM prompts
  UNION ALL SELECT p.project, 'prompts', ${VERSION} FROM prompt_versions m JOIN prompts p ON p.id = m.prompt_id
  UNION ALL SELECT project, 'conversations', ${described('r')} FROM conversations r
  UNION ALL SELECT project, 'conversations', octet_length(body::text) FROM responses
  UNION ALL SELECT c.project, 'conversations', ${CONVERSATION_MESSAGE} FROM conversation_messages m JOIN conversations c ON c.id = m.conversation_id
  UNION ALL SELECT project, 'contexts', 0 FROM contexts
  UNION ALL SELECT c.project, 'contexts', ${CONTEXT_MESSAGE} FROM context_messages m JOIN contexts c ON c.id = m.context_id`;

const DRIFT = `
  SELECT project, kind, sum(rows)::float8 AS rows, sum(bytes)::float8 AS bytes FROM (
    SELECT project, kind, count(*) AS rows, sum(bytes) AS bytes FROM (${RECORDS}) records GROUP BY project, kind
    UNION ALL SELECT project, kind, -sum(rows), -sum(bytes) FROM quota_usage GROUP BY project, kind
  ) counted GROUP BY project, kind HAVING sum(rows) <> 0 OR sum(bytes) <> 0 ORDER BY project, kind`;

/**
 * Tables whose rows contain the sums of their parts. For each: the table of the parts, its reference to the row, and
 * the bytes of a part.
 */
const PARENTS = [
  ['prompts', 'prompt_versions', 'prompt_id', VERSION],
  ['conversations', 'conversation_messages', 'conversation_id', CONVERSATION_MESSAGE],
  ['contexts', 'context_messages', 'context_id', CONTEXT_MESSAGE],
] as const;

const BATCH = 500;

/** Compares the counted usage with the records at one moment. Changes nothing and takes no locks. */
export const readQuotaDrift = (url: string): Promise<QuotaDrift[]> =>
  connected(url, async (client) => (await client.query<QuotaDrift>(DRIFT)).rows);

/**
 * Counts everything again while the services work. The services never wait for more than one batch of parents. Adds the difference that
 * existed at one moment, because changes after that moment are counted by their own transactions.
 *
 * @returns the corrected differences
 */
export const recountQuotas = (url: string): Promise<QuotaDrift[]> =>
  connected(url, async (client) => {
    for (const parent of PARENTS) await recountParts(client, parent);
    const { rows: drift } = await client.query<QuotaDrift>(DRIFT);
    await inTransaction(client, async () => {
      for (const { project, kind, rows, bytes } of drift) {
        await client.query(
          `INSERT INTO quota_usage AS u (project, kind, slot, rows, bytes) VALUES ($1, $2, 0, $3, $4)
           ON CONFLICT (project, kind, slot) DO UPDATE SET rows = u.rows + excluded.rows, bytes = u.bytes + excluded.bytes`,
          [project, kind, rows, bytes],
        );
      }
      await client.query(
        'INSERT INTO quota_recount (at) VALUES (now()) ON CONFLICT (one) DO UPDATE SET at = excluded.at',
      );
    });
    return drift;
  });

/**
 * Counts the records that were stored before quotas existed. They are counted once, even when a migration is repeated.
 */
export async function countExisting(url: string): Promise<QuotaDrift[]> {
  const { rows } = await connected(url, (client) => client.query('SELECT FROM quota_recount'));
  return rows.length > 0 ? [] : recountQuotas(url);
}

/**
 * Locks the parents before their parts are summed. When another transaction writes a part meanwhile, it adds the part
 * to the sum afterwards.
 */
async function recountParts(client: pg.Client, [table, parts, reference, bytes]: (typeof PARENTS)[number]) {
  for (let last = '00000000-0000-0000-0000-000000000000'; ;) {
    const ids = await inTransaction(client, async () => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`,
        [last],
      );
      const found = rows.map(({ id }) => id);
      await client.query(
        `UPDATE ${table} p SET held_rows = held.rows, held_bytes = held.bytes FROM (
           SELECT of.id, count(m.${reference})::int AS rows, coalesce(sum(${bytes}), 0)::bigint AS bytes
             FROM unnest($1::uuid[]) AS of (id) LEFT JOIN ${parts} m ON m.${reference} = of.id GROUP BY of.id) held
          WHERE p.id = held.id AND (p.held_rows, p.held_bytes) IS DISTINCT FROM (held.rows, held.bytes)`,
        [found],
      );
      return found;
    });
    const next = ids.at(-1);
    if (next === undefined) return;
    last = next;
  }
}

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN');
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined); // when the connection is lost, the server has rolled back already
    throw error;
  }
}

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: limitSession(url), connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // a lost connection rejects its query; without a listener, its error event would end the process
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
