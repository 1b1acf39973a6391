// @ts-check
import { importSources } from '../jest/native/modules.mjs';
import { UNSEALED } from './starters.mjs';

importSources();
const { createSecretBox, parseSecretKey, secretPlaces } = await import('@millwright/secrets');

/**
 * Seals the secrets of webhooks and triggers with the installation's keys. The secrets themselves are random and known to no one.
 *
 * @param {import('pg').Client} client @param {string} secretsKeys as in SECRETS_KEYS
 */
export async function sealSecrets(client, secretsKeys) {
  const keys = secretsKeys.split(',').flatMap((text) => parseSecretKey(text.trim()) ?? []);
  const box = createSecretBox(keys);
  for (const [table, place] of /** @type {const} */ ([
    ['webhooks', secretPlaces.webhook],
    ['triggers', secretPlaces.trigger],
  ])) {
    const { rows } = await client.query(`SELECT id FROM ${table} WHERE secret = '${UNSEALED}'`);
    const sealed = rows.map(({ id }) => box.seal(`whsec_${crypto.randomUUID()}`, place(id)));
    await client.query(
      `UPDATE ${table} t SET secret = s.secret FROM unnest($1::uuid[], $2::text[]) s (id, secret) WHERE t.id = s.id`,
      [rows.map(({ id }) => id), sealed],
    );
  }
}
