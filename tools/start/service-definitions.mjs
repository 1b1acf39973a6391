// @ts-check
import { join } from 'node:path';
import { freePorts } from '../ports.mjs';
import { deviceCaFiles } from './device-ca.mjs';
import { secretsKeys } from './secrets-keys.mjs';
import { signingKeyFile } from './signing-keys.mjs';

/**
 * @typedef {object} ServiceDefinition
 * @property {string} name
 * @property {string} main the built program
 * @property {string} url
 * @property {string} adminUrl address of `/livez`, `/readyz` and `/metrics`
 * @property {NodeJS.ProcessEnv} env
 */

/** The services behind the gateway, and whether each signs tokens. */
const areas = { 'admin-auth': true, 'platform-api': false, 'runtime-api': true, 'prompt-api': false };

/** Names of variables that the gateway must not receive. */
const secrets = [
  'DATABASE_URL',
  'REDIS_URL',
  'MODEL_API_KEY',
  'SECRETS_KEYS',
  'SMTP_URL',
  'MAGIC_LINK_WEBHOOK_SECRET',
  'AUDIT_SEAL_WEBHOOK_SECRET',
  'AUDIT_SEAL_S3_SECRET_ACCESS_KEY',
  'FILES_S3_SECRET_ACCESS_KEY',
];

/**
 * Returns the services with their settings. The services behind the gateway get new loopback ports at each start. All services get the other
 * variables of this environment.
 *
 * @param {{ root: string, keyFolder: string, filesFolder: string, addresses: import('./addresses.mjs').Addresses, databaseUrl:
 *   string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ areas: ServiceDefinition[], gateway: ServiceDefinition }>}
 */
export async function defineServices({ root, keyFolder, filesFolder, addresses, databaseUrl, env }) {
  const names = Object.keys(areas);
  const ports = await freePorts(2 * names.length + 1);
  /** @param {number | undefined} port */
  const local = (port) => `http://127.0.0.1:${port}`;
  /** @param {string} name */
  const main = (name) => join(root, 'apps', name, 'dist', 'main.js');
  const shared = {
    ...env,
    HOST: '127.0.0.1',
    BASE_URL: addresses.base,
    RUNTIME_URL: addresses.runtime,
    PROMPT_API_URL: addresses.promptApi,
  };

  const definitions = Object.entries(areas).map(([name, signs], index) => {
    const [port, adminPort] = ports.slice(2 * index, 2 * index + 2);
    return {
      name,
      main: main(name),
      url: local(port),
      adminUrl: local(adminPort),
      env: {
        ...shared,
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        TRUSTED_PROXY_HOPS: '1',
        EGRESS_ALLOW_LOOPBACK: 'true',
        ...(name === 'admin-auth' && { JOBS_OWNER: env['JOBS_OWNER'] || 'admin@localhost' }),
        ...(name === 'runtime-api' && { FILES_DIR: env['FILES_DIR'] || filesFolder }),
        SECRETS_KEYS: env['SECRETS_KEYS'] || secretsKeys(keyFolder),
        ...(signs && { SIGNING_KEY_FILE: signingKeyFile(keyFolder, name) }),
      },
    };
  });
  const targets = Object.fromEntries(
    definitions.map(({ name, url }) => [`${name.toUpperCase().replace('-', '_')}_TARGETS`, url]),
  );
  // admin-auth, which serves the console, calls the other services directly, and certifies devices.
  const ofConsole = { ...targets, ...(await deviceCaFiles(keyFolder)) };
  for (const { name, env } of definitions) if (name === 'admin-auth') Object.assign(env, ofConsole);
  const gatewayEnv = { ...shared, ADMIN_PORT: String(ports.at(-1)), ...targets };
  for (const secret of secrets) delete gatewayEnv[secret];
  const gateway = {
    name: 'gateway',
    main: main('gateway'),
    url: addresses.base,
    adminUrl: local(ports.at(-1)),
    env: gatewayEnv,
  };
  return { areas: definitions, gateway };
}
