// @ts-check
import { noteChanges, numbered, projectOf, SIZES, textArray } from './sql.mjs';
import { FIRST_NAMES, LAST_NAMES } from './texts.mjs';

/** Domain of the seeded accounts' addresses (RFC 2606): mail to it reaches no one. */
export const DOMAIN = 'seed.example';
const ISSUER = 'https://login.seed.example';
const BROWSERS = [
  'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
  'Mozilla/5.0 (Macintosh) Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0',
];

const address = (/** @type {string} */ number) => `'192.0.2.' || pg_temp.below(${number}, 'address', 254) + 1`;

/**
 * Returns SQL that inserts accounts with their passkeys, sessions, identities of a single sign-on and groups of a directory. No one can sign in to
 * these accounts, because nobody has their keys and tokens. The first account, the admin with the most runs, has no passkey: with a setup token from
 * an operator, its owner can add one.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export const people = ({ users, sessionsOfUser, scimGroups }) => `
  ${SIZES}
  CREATE TEMP TABLE seed_changes (at timestamptz, user_id uuid, kind text DEFAULT 'user', actor text, action text, resource text, project text, detail jsonb);
  ${numbered(
    'seed_users',
    `SELECT n, pg_temp.id(at, n, 'user') AS id, ${projectOf('n')} AS project, at,
            pg_temp.pick(n, 'first name', ${textArray(FIRST_NAMES)}) || ' ' || pg_temp.pick(n, 'last name', ${textArray(LAST_NAMES)}) AS name
       FROM generate_series(0, ${users - 1}) n, LATERAL (SELECT pg_temp.moment(0.05 * n / ${users}) AS at) a`,
  )}
  INSERT INTO users (id, email, name, role, delegated_role, project, status, disabled_at, webauthn_user_id, created_at, updated_at)
  SELECT id, lower(replace(name, ' ', '.')) || '.' || n || '@${DOMAIN}', name, CASE WHEN n % 20 = 0 THEN 'admin' ELSE 'user' END,
         CASE WHEN n % 20 = 7 THEN 'project_admin' WHEN n % 50 = 9 THEN 'auditor' END, project,
         CASE WHEN n % 25 = 24 THEN 'inactive' ELSE 'active' END, CASE WHEN n % 25 = 24 THEN pg_temp.moment(0.9) END,
         pg_temp.hash(n, 'webauthn'), at, at
    FROM seed_users;
  ${noteChanges("SELECT at, id, name, 'user.create', pg_temp.public_id('usr', id), project, '{}'::jsonb FROM seed_users")}

  INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, transports, device_type, backed_up, aaguid, name, last_used_at, created_at)
  SELECT pg_temp.id(u.at, u.n * 2 + k, 'passkey'), u.id, encode(pg_temp.hash(u.n * 2 + k, 'credential'), 'hex'), pg_temp.hash(u.n * 2 + k, 'passkey'),
         0, ARRAY['internal', 'hybrid'], 'multiDevice', true, '00000000-0000-0000-0000-000000000000',
         pg_temp.pick(u.n * 2 + k, 'device', ARRAY['Laptop', 'Phone', 'Security key']), pg_temp.moment(0.9), u.at
    FROM seed_users u, generate_series(0, 1) k WHERE u.n > 0 AND (k = 0 OR u.n % 2 = 0);
  ${noteChanges(
    `SELECT p.created_at, u.id, u.name, 'passkey.create', pg_temp.public_id('pk', p.id), u.project, '{}'::jsonb
       FROM passkeys p JOIN seed_users u ON u.id = p.user_id`,
  )}

  CREATE TEMP TABLE seed_sessions AS
  SELECT k * ${users} + u.n AS n, u.n AS user_n, pg_temp.id(a.at, k * ${users} + u.n, 'session') AS id, u.id AS user_id, u.name, u.project, a.at,
         k >= ${sessionsOfUser - 2} AS is_live, CASE WHEN u.n % 2 = 0 THEN 'sso' ELSE 'passkey' END AS method
    FROM generate_series(0, ${sessionsOfUser - 1}) k, seed_users u,
         LATERAL (SELECT pg_temp.moment(0.05 + 0.95 * (k * ${users} + u.n) / ${users * sessionsOfUser}) AS at) a;
  INSERT INTO user_sessions (id, user_id, method, ip, user_agent, proven_at, last_seen_at, expires_at, revoked_at, revoked_reason, created_at)
  SELECT id, user_id, method, ${address('n')}, pg_temp.pick(n, 'browser', ${textArray(BROWSERS)}), at, at + interval '3 hours',
         at + interval '30 days', CASE WHEN NOT is_live THEN at + interval '10 hours' END, CASE WHEN NOT is_live THEN 'sign_out' END, at
    FROM seed_sessions;
  ${noteChanges("SELECT at, user_id, name, 'session.create', pg_temp.public_id('ses', id), NULL, jsonb_build_object('method', method) FROM seed_sessions")}
  INSERT INTO session_refresh_tokens (id, session_id, token_hash, successor_salt, used_at, expires_at, created_at)
  SELECT pg_temp.id(at, n * 3 + k, 'session token'), id, pg_temp.hash(n * 3 + k, 'session token'),
         CASE WHEN k < 2 THEN pg_temp.hash(n * 3 + k, 'salt') END, CASE WHEN k < 2 THEN at + interval '1 hour' * (k + 1) END,
         at + interval '30 days', at + interval '1 hour' * k
    FROM seed_sessions, generate_series(0, 2) k WHERE at > pg_temp.moment(0.67);

  INSERT INTO sso_identities (id, issuer, subject, user_id, last_used_at, created_at)
  SELECT pg_temp.id(at, n, 'identity'), '${ISSUER}', 'subject-' || n, id, pg_temp.moment(0.95), at FROM seed_users WHERE n % 2 = 0;
  INSERT INTO sso_sessions (session_id, issuer, subject, sid)
  SELECT id, '${ISSUER}', 'subject-' || user_n, 'sid-' || n FROM seed_sessions WHERE method = 'sso';
  INSERT INTO scim_users (issuer, user_id, external_id, created_at)
  SELECT '${ISSUER}', id, 'person-' || n, at FROM seed_users WHERE n % 2 = 0;
  INSERT INTO scim_groups (id, issuer, display_name, external_id, created_at, updated_at)
  SELECT pg_temp.id(pg_temp.moment(0), n, 'group'), '${ISSUER}', 'Team ' || n + 1, 'team-' || n, pg_temp.moment(0), pg_temp.moment(0)
    FROM generate_series(0, ${scimGroups - 1}) n;
  INSERT INTO scim_members (group_id, user_id)
  SELECT pg_temp.id(pg_temp.moment(0), u.n / 2 % ${scimGroups}, 'group'), u.id FROM seed_users u WHERE u.n % 2 = 0;`;
