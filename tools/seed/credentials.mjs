// @ts-check
import { noteChanges, numbered, oneOf, textArray } from './sql.mjs';

const SCOPES = [
  'agents:read',
  'agents:message',
  'skills:read',
  'content:read',
  'prompts:read',
  'prompts:run',
  'runs:read',
];

/**
 * Returns SQL that inserts keys, devices, OAuth clients with their grants and tokens, and the records of the sign-ins of the last hours. The hashes
 * are random: no secrets exist for them.
 *
 * @param {import('./figures.mjs').Figures} figures
 */
export const credentials = ({ users, keysOfUser, clients, grants }) => `
  CREATE TEMP TABLE seed_keys AS
  SELECT u.n * ${keysOfUser} + k AS n, u.n AS user_n, k, pg_temp.id(a.at, u.n * ${keysOfUser} + k, 'key') AS id, u.id AS user_id, u.name AS actor,
         u.project, a.at, CASE WHEN k = 1 AND u.n % 2 = 0 THEN 'pat' ELSE 'api_key' END AS kind
    FROM seed_users u, generate_series(0, ${keysOfUser - 1}) k, LATERAL (SELECT pg_temp.moment(0.05 + 0.05 * k + 0.05 * u.n / ${users}) AS at) a;
  INSERT INTO user_api_keys (id, user_id, kind, public_id, name, secret_hash, scopes, plan, project, expires_at, last_used_at, created_at)
  SELECT id, user_id, kind, substr(md5('key' || n), 1, 12), pg_temp.pick(n, 'key name', ARRAY['Nightly job', 'Notebook', 'Website', 'Tests', 'Import']) || ' ' || n,
         pg_temp.hash(n, 'key'), ${textArray(SCOPES)}, CASE WHEN n % 4 = 0 THEN 'professional' ELSE 'standard' END, project,
         CASE WHEN kind = 'pat' THEN pg_temp.moment(1) + interval '90 days' END, pg_temp.moment(0.99), at
    FROM seed_keys;
  ${noteChanges(
    "SELECT at, user_id, actor, 'api_key.create', pg_temp.public_id('key', id), project, jsonb_build_object('name', 'Key ' || n) FROM seed_keys WHERE kind = 'api_key'",
  )}
  INSERT INTO devices (id, user_id, key_id, name, public_key, certificate, serial, expires_at, last_used_at, created_at)
  SELECT pg_temp.id(at, n, 'device'), user_id, id, 'Laptop ' || n, pg_temp.hash(n, 'device'), '-----BEGIN CERTIFICATE-----', encode(pg_temp.hash(n, 'serial'), 'hex'),
         pg_temp.moment(1) + interval '90 days', pg_temp.moment(0.95), at
    FROM seed_keys WHERE kind = 'pat';
  ${noteChanges(
    "SELECT at, user_id, actor, 'device.create', pg_temp.public_id('dev', pg_temp.id(at, n, 'device')), project, '{}'::jsonb FROM seed_keys WHERE kind = 'pat'",
  )}

  ${numbered(
    'seed_clients',
    `SELECT g AS n, pg_temp.id(a.at, g, 'client') AS id, u.project, u.id AS user_id, u.name AS actor, a.at
       FROM generate_series(0, ${clients - 1}) g JOIN seed_users u ON u.n = (g * 3) % ${users}, LATERAL (SELECT pg_temp.moment(0.1 + 0.2 * g / ${clients}) AS at) a`,
  )}
  INSERT INTO oauth_clients (id, client_id, name, user_id, project, secret_hash, redirect_uris, scopes, last_used_at, created_at, kind, auth_method, expires_at)
  SELECT id, 'mw_client_' || substr(md5('client' || n), 1, 22), 'Application ' || n, user_id, project, pg_temp.hash(n, 'client'),
         ARRAY['https://app-' || n || '.seed.example/callback'], ${textArray(SCOPES)}, pg_temp.moment(0.99), at, 'settings', 'client_secret_basic', NULL::timestamptz
    FROM seed_clients
  UNION ALL
  SELECT pg_temp.id(at, n, 'registered client'), 'mw_client_' || substr(md5('registered' || n), 1, 22), 'Desktop client ' || n, NULL, NULL, NULL,
         ARRAY['http://127.0.0.1/callback'], ARRAY['mcp:read', 'mcp:call'], at, at, 'registered', 'none', pg_temp.moment(1) + interval '90 days'
    FROM generate_series(0, ${clients * 2 - 1}) n, LATERAL (SELECT pg_temp.moment(0.1 + 0.9 * n / ${clients * 2}) AS at) a;
  ${noteChanges(
    "SELECT at, user_id, actor, 'oauth_client.create', pg_temp.public_id('cli', id), project, jsonb_build_object('name', 'Application ' || n) FROM seed_clients",
  )}
  INSERT INTO oauth_consents (id, user_id, client_id, scopes, granted_at)
  SELECT DISTINCT ON (c.id, u.id) pg_temp.id(c.at, c.n * 8 + k, 'consent'), u.id, c.id, ${textArray(SCOPES)}, c.at + interval '1 day'
    FROM seed_clients c CROSS JOIN generate_series(0, 7) k JOIN seed_users u ON u.n = pg_temp.below(c.n * 8 + k, 'consent', ${users});

  CREATE TEMP TABLE seed_grants AS
  SELECT g AS n, pg_temp.id(a.at, g, 'grant') AS id, c.id AS client_id, u.id AS user_id, u.name AS actor, c.project, a.at, g % 3 = 0 AS is_machine
    FROM generate_series(0, ${grants - 1}) g JOIN seed_clients c ON c.n = pg_temp.skewed(g, 'grant client', ${clients})
    ${oneOf('seed_users', 'u', 'c', (size) => `pg_temp.below(g, 'grant user', ${size})`)},
         LATERAL (SELECT pg_temp.moment(0.3 + 0.7 * g / ${grants}) AS at) a;
  INSERT INTO oauth_grants (id, client_id, user_id, project, kind, scopes, expires_at, created_at, resources)
  SELECT id, client_id, user_id, project, CASE WHEN is_machine THEN 'client_credentials' ELSE 'authorization_code' END, ${textArray(SCOPES)},
         at + CASE WHEN is_machine THEN interval '1 hour' ELSE interval '90 days' END, at, ARRAY[]::text[]
    FROM seed_grants;
  ${noteChanges("SELECT at, user_id, actor, 'oauth_grant.create', pg_temp.public_id('con', id), project, '{}'::jsonb FROM seed_grants")}
  INSERT INTO oauth_refresh_tokens (id, grant_id, token_hash, expires_at, used_at, created_at)
  SELECT pg_temp.id(at, n * 2 + k, 'refresh token'), id, pg_temp.hash(n * 2 + k, 'refresh token'), at + interval '30 days',
         CASE WHEN k = 0 THEN at + interval '1 hour' END, at + interval '1 hour' * k
    FROM seed_grants, generate_series(0, 1) k WHERE NOT is_machine;
  INSERT INTO oauth_authorizations (id, request_hash, browser_hash, client_id, redirect_uri, scopes, resources, code_challenge, user_id, granted, decided_at,
                                    returned_at, expires_at, created_at)
  SELECT pg_temp.id(at, n, 'authorization'), pg_temp.hash(n, 'request'), pg_temp.hash(n, 'browser'), client_id, 'https://app.seed.example/callback',
         ${textArray(SCOPES)}, ARRAY[]::text[], md5('challenge' || n), user_id, ${textArray(SCOPES)}, at, at, at + interval '10 minutes', at
    FROM seed_grants WHERE NOT is_machine AND n > ${grants} * 0.95 - 4;
  INSERT INTO oauth_codes (id, code_hash, authorization_id, grant_id, expires_at, used_at, created_at)
  SELECT pg_temp.id(at, n, 'code'), pg_temp.hash(n, 'code'), pg_temp.id(at, n, 'authorization'), id, at + interval '1 minute', at, at
    FROM seed_grants WHERE NOT is_machine AND n > ${grants} * 0.95 - 4;`;
