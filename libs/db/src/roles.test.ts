import { fileURLToPath } from 'node:url';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@millwright/testing';
import pg from 'pg';
import { applyRoles, asRole, readRoles } from './index.js';
import { migrate, readMigrations } from './migrations/index.js';

const AREAS = ['admin-auth', 'platform-api', 'prompt-api', 'runtime-api'] as const;
const INSUFFICIENT_PRIVILEGE = '42501';
const roles = readRoles(fileURLToPath(new URL('../../../prisma/roles', import.meta.url)));

let database: TestDatabase;
let owner: pg.Client;
const clients = new Map<string, pg.Client>();

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connect(database.url);
  for (const area of AREAS) clients.set(area, await connect(asRole(database.url, area)));
});
afterAll(async () => {
  await Promise.all([owner, ...clients.values()].map((client) => client.end()));
  await database.drop();
});

/** Whether the service may run the statement. The statement is rolled back. */
async function may(area: string, sql: string): Promise<boolean> {
  const client = clients.get(area);
  await client?.query('BEGIN');
  try {
    await client?.query(sql);
    return true;
  } catch (error) {
    return (error as pg.DatabaseError).code !== INSUFFICIENT_PRIVILEGE;
  } finally {
    await client?.query('ROLLBACK');
  }
}

/** Returns every table of the schema, with its columns. */
async function tables(): Promise<Map<string, string[]>> {
  const { rows } = await owner.query<{ table_name: string; columns: string[] }>(
    `SELECT table_name, array_agg(column_name::text) AS columns FROM information_schema.columns
      WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name IN (SELECT tablename FROM pg_tables)
      GROUP BY table_name ORDER BY table_name`,
  );
  return new Map(rows.map((row) => [row.table_name, row.columns]));
}

/** Returns one statement for each right. No statement changes a row. */
const statements = (table: string, column: string) => ({
  SELECT: `SELECT ${column} FROM ${table} LIMIT 0`,
  INSERT: `INSERT INTO ${table} SELECT * FROM (SELECT) nothing WHERE false`,
  UPDATE: `UPDATE ${table} SET ${column} = NULL WHERE false`,
  DELETE: `DELETE FROM ${table} WHERE false`,
});

/**
 * Returns the rights in the files of `prisma/roles`, as `area table RIGHT`, or as `area table UPDATE column` when only
 * columns are granted.
 */
function granted(): Set<string> {
  const found = new Set<string>();
  for (const [index, { grants }] of roles.entries()) {
    for (const [, rights, names] of grants.matchAll(
      /GRANT ([A-Z, ()a-z_]+) ON\s+(?!ALL|SCHEMA|SEQUENCE)([\w,\s]+?)\s+TO/g,
    )) {
      for (const table of names?.split(/[,\s]+/) ?? []) {
        for (const right of rights?.match(/[A-Z]+(?: \([\w, ]+\))?/g) ?? []) {
          const columns = /\(([^)]*)\)/.exec(right)?.[1]?.split(', ');
          for (const column of columns ?? ['']) {
            found.add([AREAS[index], table, right.split(' ')[0], column].filter(Boolean).join(' '));
          }
        }
      }
    }
  }
  return found;
}

describe('the roles of the services', () => {
  it('have on each table exactly the rights that the file of the role grants', async () => {
    const wanted = granted();
    const wrong: string[] = [];
    let allowed = 0;
    let refused = 0;
    for (const [table, columns] of await tables()) {
      for (const area of AREAS) {
        for (const column of columns) {
          for (const [right, sql] of Object.entries(statements(table, `"${column}"`))) {
            const expected = [`${area} ${table} ${right}`, `${area} ${table} ${right} ${column}`].some((key) =>
              wanted.has(key),
            );
            const actual = await may(area, sql);
            if (actual !== expected) wrong.push(`${area} ${table}.${column} ${right}: ${actual}`);
            if (actual) allowed += 1;
            else refused += 1;
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(allowed);
  });

  it('can never change or delete an audit entry or a seal, truncate a table or change the schema', async () => {
    for (const area of AREAS) {
      for (const [table, column] of [
        ['governance_decisions', 'at'],
        ['audit_seals', 'hash'],
      ]) {
        expect([area, await may(area, `UPDATE ${table} SET ${column} = ${column} WHERE false`)]).toEqual([area, false]);
        expect([area, await may(area, `DELETE FROM ${table} WHERE false`)]).toEqual([area, false]);
      }
      for (const sql of [
        'TRUNCATE users',
        'CREATE TABLE mine (id int)',
        'CREATE TABLE pgboss.mine (id int)',
        'ALTER TABLE users ADD COLUMN mine int',
        'DROP TABLE users',
        'CREATE ROLE mine',
        "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '')",
        'ALTER TABLE governance_decisions DISABLE TRIGGER ALL',
      ]) {
        expect([area, sql, await may(area, sql)]).toEqual([area, sql, false]);
      }
    }
  });

  it('cannot read the secrets of another service', async () => {
    const secret: Record<string, readonly string[]> = {
      passkeys: ['admin-auth'],
      webauthn_ceremonies: ['admin-auth'],
      session_refresh_tokens: ['admin-auth'],
      installation_secrets: ['admin-auth'],
      oauth_codes: ['runtime-api'],
      files: ['runtime-api'],
      // admin-auth may not read these columns, but it has the right to delete the rows of deleted conversations.
      'conversation_messages.content': ['prompt-api'],
      'conversation_messages.images': ['prompt-api'],
      'conversation_messages.reference': ['prompt-api'],
      'prompt_versions.instruction': ['prompt-api'],
      'responses.body': ['prompt-api'],
      'context_messages.content': ['runtime-api'],
      'context_messages.tool_calls': ['runtime-api'],
    };
    for (const [name, owners] of Object.entries(secret)) {
      const [table, column = '1'] = name.split('.');
      const readers = [];
      for (const area of AREAS) if (await may(area, `SELECT ${column} FROM ${table} LIMIT 0`)) readers.push(area);
      expect([name, readers]).toEqual([name, owners]);
    }
  });
});

/** Columns that record when a row ended or was used. */
const ENDS = ['revoked_at', 'removed_at', 'deleted_at', 'used_at', 'retired_at'];
/** Columns of rows that may become valid again or may be extended, as `table.column`, each with the reason. */
const RENEWED: Record<string, string> = {
  'oauth_consents.revoked_at': 'the same user may consent again',
  'oauth_clients.expires_at': 'a registration that is used never expires, and a document is fetched again',
  'oauth_grants.expires_at': 'each refresh token prolongs the grant',
  'user_sessions.expires_at': 'each refresh prolongs the session',
  'idempotency_keys.expires_at': 'a stored answer lives from when it was stored',
  'connection_waits.expires_at': 'a run that waits again for an account waits for another call',
  'mcp_connections.expires_at': 'a connection is refreshed with its upstream',
  'mcp_sessions.used_at': 'the time of the last use',
  'mcp_shared_sessions.used_at': 'the time of the last use',
  'mcp_upstream_sessions.used_at': 'the time of the last use',
  'mcp_waiting_calls.used_at': 'the time of the last use',
  'mcp_upstream_clients.expires_at': 'a client is registered again with its upstream',
};

describe('the rights of database roles', () => {
  const ID = '00000000-0000-7000-8000-000000000001';
  const ADMIN = '00000000-0000-7000-8000-000000000002';
  const PLATFORM_ADMIN = '00000000-0000-7000-8000-000000000003';
  const bytes = (byte: string) => `'\\x${byte.repeat(32)}'`;
  const PAST = "now() - interval '1 hour'";

  beforeAll(async () => {
    const user = (id: string, role: string, isPlatformAdmin: boolean, byte: string) =>
      `('${id}', '${id}@example.com', 'x', '${role}', ${isPlatformAdmin}, 'inactive', ${bytes(byte)}, ${PAST})`;
    await owner.query(`
      INSERT INTO users (id, email, name, role, platform_admin, status, webauthn_user_id, deleted_at) VALUES
        ${user(ID, 'user', false, '01')}, ${user(ADMIN, 'admin', false, '02')}, ${user(PLATFORM_ADMIN, 'admin', true, '03')};
      INSERT INTO user_api_keys (id, user_id, kind, public_id, name, secret_hash, project, expires_at, revoked_at)
        VALUES ('${ID}', '${ID}', 'pat', 'x', 'x', ${bytes('01')}, 'Core', ${PAST}, ${PAST});
      INSERT INTO oauth_clients (id, client_id, name, kind, auth_method, revoked_at) VALUES ('${ID}', 'x', 'x', 'registered', 'none', ${PAST});
      INSERT INTO oauth_grants (id, client_id, user_id, project, kind, revoked_at)
        VALUES ('${ID}', '${ID}', '${ID}', 'Core', 'authorization_code', ${PAST});
      INSERT INTO oauth_refresh_tokens (id, grant_id, token_hash, expires_at, used_at) VALUES ('${ID}', '${ID}', ${bytes('01')}, ${PAST}, ${PAST});
      INSERT INTO oauth_authorizations (id, request_hash, browser_hash, client_id, redirect_uri, expires_at)
        VALUES ('${ID}', ${bytes('01')}, ${bytes('01')}, '${ID}', 'x', ${PAST});
      INSERT INTO oauth_codes (id, code_hash, authorization_id, expires_at, used_at) VALUES ('${ID}', ${bytes('01')}, '${ID}', ${PAST}, ${PAST});
      INSERT INTO user_sessions (id, user_id, method, ip, user_agent, expires_at, revoked_at, revoked_reason)
        VALUES ('${ID}', '${ID}', 'passkey', '', '', ${PAST}, ${PAST}, 'x');
      INSERT INTO session_refresh_tokens (id, session_id, token_hash, expires_at, used_at, successor_salt)
        VALUES ('${ID}', '${ID}', ${bytes('01')}, ${PAST}, ${PAST}, ${bytes('01')});
      INSERT INTO devices (id, user_id, key_id, name, public_key, certificate, serial, expires_at, revoked_at)
        VALUES ('${ID}', '${ID}', '${ID}', 'x', ${bytes('01')}, 'x', 'x', ${PAST}, ${PAST});
      INSERT INTO device_link_codes (id, user_id, code_hash, project, expires_at, used_at, revoked_at)
        VALUES ('${ID}', '${ID}', ${bytes('01')}, 'Core', ${PAST}, ${PAST}, ${PAST});
      INSERT INTO device_nonces (nonce_hash, device_id, expires_at, used_at) VALUES (${bytes('01')}, '${ID}', ${PAST}, ${PAST});
      INSERT INTO setup_tokens (id, user_id, token_hash, origin, expires_at, used_at) VALUES ('${ID}', '${ID}', ${bytes('01')}, 'operator', ${PAST}, ${PAST});
      INSERT INTO magic_link_tokens (id, user_id, token_hash, expires_at, used_at, session_id) VALUES ('${ID}', '${ID}', ${bytes('01')}, ${PAST}, ${PAST}, '${ID}');
      INSERT INTO console_codes (id, user_id, code_hash, code_challenge, expires_at, used_at, session_id)
        VALUES ('${ID}', '${ID}', ${bytes('01')}, 'x', ${PAST}, ${PAST}, '${ID}');
      INSERT INTO webauthn_ceremonies (id, kind, challenge, browser_hash, user_id, setup_token_id, expires_at, used_at)
        VALUES ('${ID}', 'registration', 'x', ${bytes('01')}, '${ID}', '${ID}', ${PAST}, ${PAST});
      INSERT INTO sso_requests (id, state_hash, browser_hash, issuer, purpose, target, expires_at, used_at)
        VALUES ('${ID}', ${bytes('01')}, ${bytes('01')}, 'x', 'sign_in', '/admin', ${PAST}, ${PAST});
      INSERT INTO sso_logout_tokens (issuer, jti_hash, expires_at) VALUES ('x', ${bytes('01')}, ${PAST});
      INSERT INTO oauth_used_assertions (id, expires_at) VALUES (${bytes('01')}, ${PAST});
      INSERT INTO passkeys (id, user_id, credential_id, public_key, device_type, backed_up, aaguid, name, removed_at)
        VALUES ('${ID}', '${ID}', 'x', ${bytes('01')}, 'singleDevice', false, 'x', 'x', ${PAST});
      INSERT INTO platform_admin_requests (id, user_id, requested_by, expires_at) VALUES ('${ID}', '${ID}', '${PLATFORM_ADMIN}', now());
      INSERT INTO mcp_servers (id, project, name, slug, url, created_by) VALUES ('${ID}', 'Core', 'x', 'x', 'x', '${ID}');
      INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, channel, caller, state)
        VALUES ('${ID}', 'Core', '${ID}', 'agent', '${ID}', 'x', 'messages', '{}', 'queued');
      INSERT INTO approvals (id, project, run_id, asked_by, call_id, user_id, agent, owner, owner_name, tool, parameters, arguments,
                             tool_hash, hash, state, other_decider, decided_by, decided_at, used_at, expires_at)
        VALUES ('${ID}', 'Core', '${ID}', 1, 'x', '${ID}', 'x', 'x', 'x', 'x', '{}', '{}', ${bytes('01')}, ${bytes('01')},
                'used', true, '${ADMIN}', ${PAST}, ${PAST}, ${PAST});
      INSERT INTO mcp_connection_requests (request_hash, browser_hash, server_id, user_id, expires_at, used_at)
        VALUES (${bytes('01')}, ${bytes('01')}, '${ID}', '${ID}', ${PAST}, ${PAST});
      INSERT INTO signing_keys (kid, issuer, public_jwk, active_at, retired_at) VALUES
        ('of admin-auth', 'admin-auth', '{}', now(), NULL), ('of runtime-api', 'runtime-api', '{}', now(), NULL),
        ('retired of admin-auth', 'admin-auth', '{}', now(), ${PAST}), ('retired of runtime-api', 'runtime-api', '{}', now(), ${PAST});
      INSERT INTO conversations (id, project, user_id, title, description, log_message, author, deleted_at)
        VALUES ('${ID}', 'Core', '${ID}', 'x', '', '', 'x', ${PAST});
      INSERT INTO prompts (id, project, title, description, author, created_by, deleted_at) VALUES ('${ID}', 'Core', 'x', '', 'x', '${ID}', ${PAST});
      INSERT INTO webhooks (id, project, name, url, secret, created_by, deleted_at) VALUES ('${ID}', 'Core', 'x', 'x', 'x', '${ID}', ${PAST});
      INSERT INTO triggers (id, project, name, kind, agent, input, overlap, owner_id, rights, created_by, deleted_at)
        VALUES ('${ID}', 'Core', 'x', 'webhook', 'x', '', 'allow', '${ID}', '{}', '${ID}', ${PAST});
      INSERT INTO projects (id, name, deleted_at) VALUES ('gone', 'Gone', ${PAST});
      INSERT INTO signing_keys (kid, issuer, public_jwk, revoked_at) VALUES ('revoked of admin-auth', 'admin-auth', '{}', ${PAST})`);
  });

  /** Returns the tables that have one of the columns, as `table.column`. */
  async function columnsNamed(names: readonly string[]): Promise<string[]> {
    const found = [];
    for (const [table, columns] of await tables())
      for (const column of columns) if (names.includes(column)) found.push(`${table}.${column}`);
    return found;
  }

  async function refusedToAll(sql: string): Promise<void> {
    for (const area of AREAS) expect([area, sql, await may(area, sql)]).toEqual([area, sql, false]);
  }

  it('are stated for every table: at least one service may read or write each table', async () => {
    const named = new Set([...granted()].map((right) => right.split(' ')[1]));
    expect([...(await tables()).keys()].filter((table) => !named.has(table))).toEqual([]);
  });

  it("cover every schema of the database, including the schema of admin-auth's queues", async () => {
    const { rows } = await owner.query<{ role: string; schema: string }>(
      `SELECT r.rolname AS role, n.nspname AS schema FROM pg_roles r, pg_namespace n
        WHERE r.rolname = ANY($1) AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
          AND (has_schema_privilege(r.oid, n.oid, 'USAGE') OR has_schema_privilege(r.oid, n.oid, 'CREATE')) ORDER BY 1, 2`,
      [roles.map(({ name }) => name)],
    );
    const own = roles.map(({ name }) => ({ role: name, schema: 'public' }));
    expect(rows).toEqual([{ role: 'millwright_admin_auth', schema: 'pgboss' }, ...own]);
  });

  it('cannot be bypassed by role attributes, memberships, functions that run with the rights of their owner, or views', async () => {
    const { rows } = await owner.query<{ door: string }>(
      `SELECT rolname AS door FROM pg_roles r WHERE rolname = ANY($1)
          AND (rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls OR rolcanlogin
               OR EXISTS (SELECT FROM pg_auth_members m WHERE m.member = r.oid))
       UNION ALL SELECT oid::regprocedure::text FROM pg_proc f
        WHERE prosecdef AND pronamespace IN ('public'::regnamespace, 'pgboss'::regnamespace)
          AND (coalesce(array_to_string(proconfig, ';'), '') <> 'search_path=pg_catalog, public, pg_temp'
               OR EXISTS (SELECT FROM unnest($1::text[]) role WHERE has_function_privilege(role, f.oid, 'EXECUTE')))
       UNION ALL SELECT oid::regclass::text FROM pg_class WHERE relkind IN ('v', 'm', 'f') AND relnamespace = 'public'::regnamespace`,
      [roles.map(({ name }) => name)],
    );
    expect(rows).toEqual([]);
  });

  it('let no service reactivate an ended row in any table', async () => {
    const columns = (await columnsNamed(ENDS)).filter((column) => !(column in RENEWED));
    expect(columns.length).toBeGreaterThan(15);
    for (const [table, column] of columns.map((name) => name.split('.'))) {
      const { rowCount } = await owner.query(`SELECT FROM ${table} WHERE ${column} IS NOT NULL`);
      expect([table, column, rowCount]).not.toEqual([table, column, 0]); // inserts a row that the statements below can read
      await refusedToAll(`UPDATE ${table} SET ${column} = NULL WHERE ${column} IS NOT NULL`);
      await refusedToAll(`UPDATE ${table} SET ${column} = now() + interval '1 day' WHERE ${column} IS NOT NULL`);
    }
  });

  it('let no service extend an expiry in any table', async () => {
    const columns = (await columnsNamed(['expires_at'])).filter((column) => !(column in RENEWED));
    expect(columns.length).toBeGreaterThan(10);
    for (const [table] of columns.map((name) => name.split('.'))) {
      const { rowCount } = await owner.query(`SELECT FROM ${table} WHERE expires_at IS NOT NULL`);
      expect([table, rowCount]).not.toEqual([table, 0]);
      await refusedToAll(`UPDATE ${table} SET expires_at = now() + interval '10 years'`);
    }
    await refusedToAll('UPDATE user_api_keys SET expires_at = NULL');
  });

  it('have exceptions only for columns that exist', async () => {
    const columns = await columnsNamed([...ENDS, 'expires_at']);
    expect(Object.keys(RENEWED).filter((name) => !columns.includes(name))).toEqual([]);
  });

  it('let no service move an approval to another call, withdraw a decision, or let the requester decide for another user', async () => {
    for (const change of [
      `arguments = '{"all":true}'`,
      `tool_hash = ${bytes('02')}`,
      'asked_by = 2',
      'other_decider = false',
      `hash = ${bytes('02')}`,
      `edited_arguments = '{}'`,
      `state = 'pending'`,
      `state = 'approved'`,
      `decided_by = '${PLATFORM_ADMIN}'`,
    ])
      await refusedToAll(`UPDATE approvals SET ${change}`);
    await expect(owner.query(`UPDATE approvals SET decided_by = user_id`)).rejects.toThrow(
      'approvals_two_people_check',
    );
  });

  it('let only admin-auth make personal access tokens, and API keys with *, keys:write or a scope of admins', async () => {
    const newKey = (kind: string, scope: string) =>
      `INSERT INTO user_api_keys (id, user_id, kind, public_id, name, secret_hash, scopes, project)
       VALUES (gen_random_uuid(), '${ID}', '${kind}', gen_random_uuid()::text, 'x', ${bytes('07')}, ARRAY['skills:read', '${scope}'], 'Core')`;
    const makersOf = async (kind: string, scope: string) => {
      const makers = [];
      for (const area of AREAS) if (await may(area, newKey(kind, scope))) makers.push(area);
      return makers;
    };
    for (const scope of ['*', 'keys:write', 'users:read', 'users:write', 'runs:read_all', 'admin'])
      expect([scope, await makersOf('api_key', scope)]).toEqual([scope, ['admin-auth']]);
    expect(await makersOf('pat', 'skills:write')).toEqual(['admin-auth']);
    expect(await makersOf('api_key', 'keys:read')).toEqual(['admin-auth', 'platform-api']);
  });

  it('let only admin-auth make OAuth clients that are not marked as made by an API key, and clients with * or a scope of admins', async () => {
    const id = '00000000-0000-7000-8000-000000000009';
    const newClient = (scope: string, of = 'gen_random_uuid()') =>
      `INSERT INTO oauth_clients (id, client_id, user_id, name, project, secret_hash, scopes, made_by_key)
       VALUES (${of}, gen_random_uuid()::text, '${ID}', 'x', 'Core', ${bytes('07')}, ARRAY['skills:read', '${scope}'], true)`;
    const ofWhom = async (sql: string) => {
      const areas = [];
      for (const area of AREAS) if (await may(area, sql)) areas.push(area);
      return areas;
    };
    const update = (change: string) => `UPDATE oauth_clients SET ${change} WHERE id = '${id}'`;
    const changes = [
      `secret_hash = ${bytes('08')}`,
      `redirect_uris = ARRAY['https://other.example.com']`,
      `mcp_tools = ARRAY['other/*']`,
      `name = 'Other'`,
      `expires_at = now() + interval '1 day'`,
    ];
    for (const scope of ['*', 'users:read', 'users:write', 'runs:read_all', 'admin']) {
      expect([scope, await ofWhom(newClient(scope))]).toEqual([scope, ['admin-auth']]);
      await owner.query(newClient(scope, `'${id}'`));
      for (const change of changes) expect([change, await ofWhom(update(change))]).toEqual([change, ['admin-auth']]);
      expect(await ofWhom(update('revoked_at = now()'))).toContain('platform-api');
      await owner.query(`DELETE FROM oauth_clients WHERE id = '${id}'`);
    }
    expect(await ofWhom(newClient('mcp:read'))).toContain('platform-api');
    expect(await ofWhom(newClient('mcp:read').replace('true)', 'false)'))).toEqual(['admin-auth']);
    await owner.query(newClient('mcp:read', `'${id}'`));
    for (const change of changes)
      expect([change, await ofWhom(update(change))]).toEqual([change, expect.arrayContaining(['platform-api'])]);
    await owner.query(update('made_by_key = false'));
    const redirect = `redirect_uris = ARRAY['https://other.example.com']`;
    expect(await ofWhom(update(redirect))).toEqual(['admin-auth']);
    expect(await ofWhom(update(`${redirect}, made_by_key = true`))).toContain('platform-api');
    await owner.query(update('made_by_key = true'));
    expect(await ofWhom(update('made_by_key = false'))).toEqual(['admin-auth']);
    for (const change of [`scopes = ARRAY['mcp:read', 'admin']`, `user_id = '${ADMIN}'`, `project = 'Commerce'`])
      expect([change, await ofWhom(update(change))]).not.toEqual([change, expect.arrayContaining(['platform-api'])]);
    await owner.query(`DELETE FROM oauth_clients WHERE id = '${id}'`);
  });

  it('let only an operator make a platform admin', async () => {
    const values = (role: string, isPlatformAdmin: boolean) =>
      `INSERT INTO users (id, email, name, role, platform_admin, webauthn_user_id)
       VALUES (gen_random_uuid(), 'eve@example.com', 'Eve', '${role}', ${isPlatformAdmin}, ${bytes('ff')})`;
    await refusedToAll(values('admin', true));
    await refusedToAll(`UPDATE users SET platform_admin = true WHERE id = '${ADMIN}'`);
    const makers = [];
    for (const area of AREAS) if (await may(area, values('admin', false))) makers.push(area);
    expect(makers).toEqual(['admin-auth']);
    expect(await may('runtime-api', values('user', false))).toBe(true);
  });

  it.each(['project_admin', 'auditor'])('let admin-auth alone give the role %s', async (role) => {
    const statements = [
      `INSERT INTO users (id, email, name, delegated_role, webauthn_user_id)
       VALUES (gen_random_uuid(), 'eve@example.com', 'Eve', '${role}', ${bytes('ff')})`,
      `UPDATE users SET delegated_role = '${role}' WHERE id = '${ID}'`,
    ];
    for (const sql of statements)
      for (const area of AREAS) expect([area, sql, await may(area, sql)]).toEqual([area, sql, area === 'admin-auth']);
  });

  it('remove the delegated role of an account that becomes an admin, and refuse such a role for an admin', async () => {
    const id = '00000000-0000-7000-8000-000000000004';
    await owner.query(
      `INSERT INTO users (id, email, name, delegated_role, webauthn_user_id) VALUES ('${id}', 'd@example.com', 'D', 'auditor', ${bytes('04')})`,
    );
    const { rows } = await owner.query(`UPDATE users SET role = 'admin' WHERE id = '${id}' RETURNING delegated_role`);
    expect(rows).toEqual([{ delegated_role: null }]);
    await expect(owner.query(`UPDATE users SET delegated_role = 'auditor' WHERE id = '${id}'`)).rejects.toMatchObject({
      constraint: 'users_one_role_check',
    });
    await owner.query(`UPDATE users SET role = 'user', delegated_role = 'auditor' WHERE id = '${id}'`);
  });

  it.each([
    ['makes a user an admin', `UPDATE users SET role = 'admin' WHERE id = '${ID}'`],
    ['enables an account', `UPDATE users SET status = 'active' WHERE id = '${ID}'`],
    ['moves an account to another project', `UPDATE users SET project = 'Commerce' WHERE id = '${ID}'`],
    ['changes the email of an admin', `UPDATE users SET email = 'eve@example.com' WHERE id = '${ADMIN}'`],
    ['changes the email of an auditor', `UPDATE users SET email = 'e@example.com' WHERE delegated_role = 'auditor'`],
  ])('reserve for admin-auth every statement that %s', async (_, sql) => {
    const allowed = [];
    for (const area of AREAS) if (await may(area, sql)) allowed.push(area);
    expect(allowed).toEqual(['admin-auth']);
  });

  it('let a service publish and retire only signing keys whose issuer is the service', async () => {
    const publish = (issuer: string) =>
      `INSERT INTO signing_keys (kid, issuer, public_jwk) VALUES ('new', '${issuer}', '{}')`;
    const retire = (issuer: string) => `UPDATE signing_keys SET retired_at = now() WHERE kid = 'of ${issuer}'`;
    for (const area of AREAS) {
      for (const issuer of ['admin-auth', 'runtime-api']) {
        for (const sql of [publish(issuer), retire(issuer)])
          expect([area, sql, await may(area, sql)]).toEqual([area, sql, area === issuer]);
      }
    }
    await refusedToAll(`UPDATE signing_keys SET public_jwk = '{"kty":"EC"}'`);
    await refusedToAll(`UPDATE signing_keys SET issuer = 'admin-auth' WHERE kid = 'of runtime-api'`);
  });

  it('let admin-auth alone revoke signing keys, whatever their issuer', async () => {
    for (const issuer of ['admin-auth', 'runtime-api']) {
      const sql = `UPDATE signing_keys SET revoked_at = now() WHERE kid = 'of ${issuer}'`;
      for (const area of AREAS) expect([area, await may(area, sql)]).toEqual([area, area === 'admin-auth']);
    }
  });

  it('apply to a database login that has the role of a service, as on Kubernetes', async () => {
    const login = `login_of_${new URL(database.url).pathname.slice(1)}`;
    await owner.query(`CREATE ROLE ${login} LOGIN PASSWORD 'of this test' IN ROLE millwright_runtime_api`);
    const url = new URL(database.url);
    Object.assign(url, { username: login, password: 'of this test' });
    const client = await connect(url.href);
    const refused = (sql: string) => expect(client.query(sql)).rejects.toMatchObject({ code: INSUFFICIENT_PRIVILEGE });
    await refused(`UPDATE users SET status = 'active' WHERE id = '${ID}'`);
    await refused(`UPDATE user_api_keys SET revoked_at = NULL WHERE id = '${ID}'`);
    await refused(`INSERT INTO signing_keys (kid, issuer, public_jwk) VALUES ('new', 'admin-auth', '{}')`);
    await client.query(`INSERT INTO signing_keys (kid, issuer, public_jwk) VALUES ('new', 'runtime-api', '{}')`);
    await client.end();
    await owner.query(`DELETE FROM signing_keys WHERE kid = 'new'`);
    await owner.query(`DROP ROLE ${login}`);
  });

  it('do not restrict an operator', async () => {
    await owner.query('BEGIN');
    await owner.query(
      `UPDATE users SET platform_admin = true, status = 'active', deleted_at = NULL WHERE id = '${ADMIN}'`,
    );
    await owner.query(`UPDATE user_api_keys SET revoked_at = NULL, expires_at = NULL WHERE id = '${ID}'`);
    await owner.query('ROLLBACK');
  });
});

describe('applyRoles', () => {
  it('revokes the rights that the roles should not have, also when it runs several times concurrently', async () => {
    await owner.query('GRANT DELETE ON users TO millwright_prompt_api');
    expect(await may('prompt-api', 'DELETE FROM users WHERE false')).toBe(true);
    await Promise.all([1, 2, 3].map(() => applyRoles(database.url, roles)));
    expect(await may('prompt-api', 'DELETE FROM users WHERE false')).toBe(false);
    expect(await may('prompt-api', 'SELECT 1 FROM users LIMIT 0')).toBe(true);
  });

  it('works for an owner of the schema without superuser rights', async () => {
    const empty = await createEmptyDatabase();
    const name = new URL(empty.url).pathname.slice(1);
    const owned = new URL(empty.url);
    Object.assign(owned, { username: `owner_of_${name}`, password: 'of this test' });
    await owner.query(`CREATE ROLE owner_of_${name} LOGIN CREATEROLE PASSWORD 'of this test'`);
    await owner.query(`ALTER DATABASE ${name} OWNER TO owner_of_${name}`);
    await migrate(owned.href, readMigrations(fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))));
    await applyRoles(owned.href, [
      ...roles,
      { name: `area_of_${name}`, grants: `GRANT SELECT ON users TO area_of_${name}` },
    ]);
    const { rows } = await owner.query<{ rolcanlogin: boolean }>(
      'SELECT rolcanlogin FROM pg_roles WHERE rolname = $1',
      [`area_of_${name}`],
    );
    expect(rows).toEqual([{ rolcanlogin: false }]);
    await empty.drop();
    await owner.query(`DROP ROLE area_of_${name}`);
    await owner.query(`DROP ROLE owner_of_${name}`);
  });

  it('changes no rights when the grants of one role are invalid', async () => {
    const broken = roles.map((role, index) =>
      index === 3 ? { ...role, grants: 'GRANT SELECT ON nothing TO nobody' } : role,
    );
    await expect(applyRoles(database.url, broken)).rejects.toThrow('does not exist');
    expect(await may('admin-auth', 'SELECT 1 FROM users LIMIT 0')).toBe(true);
  });
});
