// @ts-check
import { readJson, writeJson } from './state-files.mjs';

const EMAIL = 'admin@localhost';
const NAME = 'Local default';
const redirectUris = ['http://127.0.0.1:9999/cb', 'http://127.0.0.1:3000/callback'];

/**
 * @typedef {object} FirstRecords
 * @property {{ email: string, setup_url: string | null }} admin `setup_url` is null once a passkey is enrolled
 * @property {string} api_key a key with every scope and the plan `professional`
 * @property {{ client_id: string, client_secret: string, redirect_uris: string[] }} client
 */

/**
 * Makes sure that the first admin exists, with an API key and an OAuth client. Records that are no longer in the database, or are revoked, are
 * created again. The secrets are stored in `file` for the next start, because the service shows a secret only once.
 *
 * @param {ReturnType<typeof import('./operator.mjs').createOperator>} operator
 * @param {string} file
 * @returns {Promise<FirstRecords>}
 */
export async function ensureFirstRecords({ ask, run }, file) {
  const kept = readJson(file) ?? {};
  const users = await run('users', 'list');
  if (!users.some((/** @type {{ email: string }} */ { email }) => email === EMAIL)) {
    await run('users', 'create', '--email', EMAIL, '--name', 'Admin', '--role', 'admin', '--platform-admin');
  }
  const [keys, clients, setup] = await Promise.all([
    run('keys', 'list'),
    run('clients', 'list'),
    ask('setup-token', 'create', '--email', EMAIL),
  ]);
  const owner = ['--user', EMAIL, '--name', NAME];
  if (!isKnown(keys, kept.key)) {
    const { id, key } = await run('keys', 'create', ...owner, '--scopes', '*', '--plan', 'professional');
    kept.key = { id, key };
    writeJson(file, kept);
  }
  if (!isKnown(clients, kept.client)) {
    const uris = redirectUris.flatMap((uri) => ['--redirect-uri', uri]);
    const { id, client_id, client_secret } = await run('clients', 'create', ...owner, ...uris);
    kept.client = { id, client_id, client_secret };
    writeJson(file, kept);
  }
  const { client_id, client_secret } = kept.client;
  return {
    // Programs that read platform.json expect the token in the query. The page accepts it there and in the fragment.
    admin: { email: EMAIL, setup_url: setup?.setup_url.replace('#token=', '?token=') ?? null },
    api_key: kept.key.key,
    client: { client_id, client_secret, redirect_uris: redirectUris },
  };
}

/** @param {{ id: string, revoked_at: string | null }[]} listed @param {{ id: string } | undefined} kept */
function isKnown(listed, kept) {
  return listed.some(({ id, revoked_at }) => id === kept?.id && !revoked_at);
}
