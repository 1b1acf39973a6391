// @ts-check
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

/**
 * The smallest program that answers `GET /api/v1/skills/{id}`: it sends the same two prepared queries as the platform API, with `node:http` and
 * `pg`, but has no limits, log or validation. It uses the platform API's database.
 */
const [port, databaseUrl] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });

const FIND_KEY = `
  SELECT k.id, k.secret_hash, k.scopes, k.plan, k.project, u.id AS user_id, u.name, u.email, u.role, u.delegated_role, u.platform_admin, u.status,
         k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.status = 'active'
           AND (u.role = 'admin' OR k.project = u.project) AS usable
    FROM user_api_keys k JOIN users u ON u.id = k.user_id
   WHERE k.public_id = $1 AND k.kind = 'api_key'`;
const FIND_SKILL = 'SELECT * FROM skills WHERE project = $1 AND id = $2';

createServer(async (request, response) => {
  const [, publicId, rest = ''] = /^Bearer mw_live_(\w{12})_(\w+)$/.exec(request.headers.authorization ?? '') ?? [];
  const hash = createHash('sha256').update(rest.slice(0, 43)).digest();
  const found = await pool.query({ name: 'key', text: FIND_KEY, values: [publicId] });
  const [key] = found.rows;
  if (!key?.usable || !timingSafeEqual(hash, key.secret_hash)) return void response.writeHead(401).end();
  const id = request.url?.slice(request.url.lastIndexOf('/') + 1);
  const { rows } = await pool.query({ name: 'skill', text: FIND_SKILL, values: [key.project, id] });
  const body = JSON.stringify(rows[0] ?? null);
  response.writeHead(rows[0] ? 200 : 404, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}).listen(Number(port), '127.0.0.1');
