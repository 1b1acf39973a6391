// @ts-check
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../tools/ports.mjs';
import { ask } from '../ask.mjs';
import { queryOnce } from '../databases.mjs';
import { operator, startInstallation, startService, USER } from '../installation.mjs';
import { measureLoad } from '../load.mjs';
import { asMissing, moduleOfPeer } from '../peers.mjs';
import { startProgram } from '../processes.mjs';
import { inRounds, ratios, roundsTable } from '../rounds.mjs';

/** @typedef {import('../run.mjs').Context} Context */
/** @typedef {import('../run.mjs').Outcome} Outcome */
/** @typedef {{ url: string, pid: number, path: string, client: Record<string, string>, newToken: () => Promise<string> }} Issuer */

const CLIENTS = 32;
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** Measures goal P10: the CPU time of issuing tokens, compared with oidc-provider. @param {Context} context @returns {Promise<Outcome>} */
export async function measureTokens(context) {
  const theirs = await asMissing(startPeer());
  if ('reason' in theirs) return { rows: { P10: theirs }, tables: {} };
  const ours = await startOurs(context);
  try {
    const rounds = await inRounds(
      {
        'ours, refresh_token': (isWarming) => refreshes(context, ours, isWarming),
        'oidc-provider, refresh_token': (isWarming) => refreshes(context, theirs, isWarming),
        'ours, client_credentials': (isWarming) => grants(context, ours, isWarming),
        'oidc-provider, client_credentials': (isWarming) => grants(context, theirs, isWarming),
      },
      context.rounds,
    );
    const row = {
      refresh: ratios(rounds, 'cpu', 'ours, refresh_token', 'oidc-provider, refresh_token'),
      client: ratios(rounds, 'cpu', 'ours, client_credentials', 'oidc-provider, client_credentials'),
    };
    return { rows: { P10: row }, tables: { 'P10: tokens': roundsTable(rounds, ['cpu', 'perSecond', 'p99']) } };
  } finally {
    await ours.stop();
    await theirs.stop();
  }
}

async function startPeer() {
  const [port = 0] = await freePorts(1);
  const server = await startProgram('peers/oidc-provider', port, moduleOfPeer('oidc-provider'));
  const url = `http://127.0.0.1:${port}`;
  const client = { client_id: 'bench', client_secret: 'bench-secret' };
  const newToken = () => ask('GET', `${url}/new`);
  return { ...server, url, path: '/token', client, newToken };
}

/** @param {Context} context */
async function startOurs({ servers }) {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-bench-'));
  const installation = await startInstallation(servers, 'tokens');
  const [port = 0, adminPort = 0] = await freePorts(2);
  const url = `http://127.0.0.1:${port}`;
  const keyFile = join(folder, 'key.pem');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const runtime = await startService('runtime-api', servers, installation.databaseUrl, {
    ...{ HOST: '127.0.0.1', PORT: String(port), ADMIN_PORT: String(adminPort) },
    ...{ RUNTIME_URL: url, BASE_URL: installation.url, SIGNING_KEY_FILE: keyFile, FILES_DIR: folder },
  });
  const args = ['clients', 'create', '--user', USER, '--name', 'bench'];
  const { client_id, client_secret } = await operator(installation.databaseUrl, args);
  const text = `UPDATE oauth_clients SET grant_types = '{authorization_code,refresh_token,client_credentials}' WHERE client_id = $1`;
  await queryOnce(installation.databaseUrl, text, [client_id]);
  const client = { client_id, client_secret };
  const body = String(new URLSearchParams({ grant_type: 'client_credentials', ...client }));
  return {
    ...{ url, pid: runtime.pid, path: '/oauth/token', client },
    async newToken() {
      return JSON.parse(await ask('POST', `${url}/oauth/token`, FORM, body)).refresh_token;
    },
    async stop() {
      await runtime.stop();
      await installation.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** @param {Context} context @param {Issuer} issuer @param {boolean} isWarming */
const grants = ({ seconds }, { url, pid, path, client }, isWarming) =>
  measureLoad([pid], {
    ...{ url, connections: CLIENTS, seconds: isWarming ? 3 : seconds },
    asked: [
      {
        ...{ method: 'POST', path, headers: FORM },
        body: String(new URLSearchParams({ grant_type: 'client_credentials', ...client })),
      },
    ],
  });

/**
 * Measures refreshes. Each connection has a separate grant, and sends the refresh token of its last answer.
 *
 * @param {Context} context @param {Issuer} issuer @param {boolean} isWarming
 */
async function refreshes({ seconds }, { url, pid, path, client, newToken }, isWarming) {
  const tokens = await Promise.all(Array.from({ length: CLIENTS }, newToken));
  if (tokens.some((token) => !token)) throw new Error(`${url} issues no refresh tokens`);
  return measureLoad([pid], {
    ...{ url, connections: CLIENTS, seconds: isWarming ? 3 : seconds },
    asked: [{ method: 'POST', path, headers: FORM }],
    setupClient(autocannonClient) {
      let token = tokens.pop() ?? '';
      autocannonClient.setRequests([
        {
          ...{ method: 'POST', path, headers: FORM },
          setupRequest: (/** @type {object} */ request) => ({
            ...request,
            body: String(new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, ...client })),
          }),
          onResponse(/** @type {number} */ _status, /** @type {string} */ body) {
            token = JSON.parse(body).refresh_token;
          },
        },
      ]);
    },
  });
}
