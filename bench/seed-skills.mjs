// @ts-check
import pg from 'pg';

/**
 * Inserts skills `Skill 1`, `Skill 2` …, and the total of the list, which the service would otherwise store.
 *
 * @param {string} databaseUrl
 * @param {number} rows
 */
export async function seedSkills(databaseUrl, rows) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows: indexes } = await client.query(`SELECT pg_get_indexdef('skills_search_idx'::regclass) AS definition`);
  // The index is dropped and created again after the insertion, because adding many rows to a trigram index is far slower.
  await client.query('DROP INDEX skills_search_idx');
  await client.query(
    `INSERT INTO skills (id, project, name, description, instructions, created_by, created_at, updated_at)
     SELECT gen_random_uuid(), 'Core', 'Skill ' || n, 'Handles requests of kind ' || left(md5(n::text), 12),
            'Read the request and answer it.', u.id, at, at
       FROM generate_series(1, $1) n,
            LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 second' AS at) t,
            (SELECT id FROM users LIMIT 1) u`,
    [rows],
  );
  await client.query(indexes[0].definition);
  await client.query(
    `INSERT INTO record_counts (project, kind, status, slot, n)
     SELECT project, 'skills', status, 0, count(*) FROM skills GROUP BY project, status`,
  );
  await client.query('VACUUM ANALYZE skills');
  await client.end();
}
