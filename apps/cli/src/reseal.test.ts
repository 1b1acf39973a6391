import { readdirSync, readFileSync } from 'node:fs';
import { createUser } from '@millwright/accounts';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createSecretBox, secretPlaces, type SecretKey } from '@millwright/secrets';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { SEALED_COLUMNS } from './sealed-columns.js';
import { buildProgram, type TestProgram } from './test-program.js';

const SCHEMA = new URL('../../../prisma/schema/', import.meta.url);
/** Columns that the command leaves out, because their values expire after 15 minutes. */
const SHORT_LIVED = ['mcp_connection_requests.pending'];

/**
 * Returns the columns (`table.column`) whose comment in the schema contains the word `sealed`. Two schema files are left out, because the
 * audit log uses this word in another meaning.
 */
function sealedInSchema(): string[] {
  return readdirSync(SCHEMA)
    .filter((file) => !['platform.prisma', 'identity.prisma'].includes(file))
    .flatMap((file) => {
      const models = readFileSync(new URL(file, SCHEMA), 'utf8').split(/^model /m);
      return models.flatMap((model) => {
        const table = /@@map\("(\w+)"\)/.exec(model)?.[1] ?? '';
        const columns = model.matchAll(/((?:^ {2}\/\/\/[^\n]*\n)+) {2}(\w+) +(?:String|Json)/gm);
        return [...columns].flatMap(([, comment = '', column = '']) =>
          /\bsealed\b/i.test(comment) ? [`${table}.${column}`] : [],
        );
      });
    });
}

const oldKey = { id: 'old', key: Buffer.alloc(32, 1) };
const newKey = { id: 'new', key: Buffer.alloc(32, 2) };
const ringOf = (...keys: SecretKey[]) => keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
const boxOf = (key: SecretKey) => createSecretBox([key]);

let program: TestProgram;
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  [program, database] = await Promise.all([buildProgram(), createTestDatabase()]);
  db = createDatabase({ url: database.url, poolMax: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
  program.remove();
});

/** Creates rows that have an encrypted value in each of the columns. */
async function makeRows(userId: string): Promise<string> {
  const id = newId();
  const box = boxOf(oldKey);
  const by = { id, project: 'Core', name: 'x', created_by: userId };
  const former_until = new Date();
  const [hook, trigger] = [box.seal('hook', secretPlaces.webhook(id)), box.seal('trigger', secretPlaces.trigger(id))];
  await db.prisma.webhook.create({ data: { ...by, url: 'x', secret: hook, former_secret: hook, former_until } });
  await db.prisma.trigger.create({
    data: {
      ...{ ...by, kind: 'webhook', agent: 'a', input: 'x', overlap: 'allow', rights: {}, owner_id: userId },
      ...{ address: 'x', signature: 'standard', secret: trigger, former_secret: trigger, former_until },
    },
  });
  const secrets = box.seal('plugin', secretPlaces.plugin(id));
  await db.prisma.plugin.create({ data: { ...by, description: '', type: 'tool', config: {}, secrets } });
  const subject = { subject_kind: 'agent', subject_id: id, subject_name: 'x' };
  const ended = { state: 'completed', ended_at: new Date(), channel: 'a2a', caller: {} };
  await db.prisma.run.create({ data: { ...subject, ...ended, id, project: 'Core', user_id: userId } });
  const push = box.seal('push', secretPlaces.pushConfig(id, 'one'));
  await db.prisma.pushConfig.create({ data: { run_id: id, id: 'one', url: 'x', secrets: push } });
  const provider = { preset: 'compatible', base_url: 'x', upstream_model: 'x', context_window: 1 };
  const api_key = box.seal('model', secretPlaces.model(id));
  await db.prisma.model.create({ data: { ...by, ...provider, api_key } });
  await db.prisma.mcpServer.create({
    data: {
      ...{ ...by, slug: 'x', url: 'x', headers: { 'x-key': box.seal('header', secretPlaces.mcpHeader(id, 'x-key')) } },
      auth: { type: 'client_credentials', client_secret: box.seal('client', secretPlaces.mcpClientSecret(id)) },
    },
  });
  const client = { client_id: 'x', client_auth: 'none' };
  const sealed = (column: 'client_secret' | 'access_token' | 'refresh_token') =>
    box.seal(column, secretPlaces.mcpConnection(id, userId, column));
  await db.prisma.mcpConnection.create({
    data: {
      ...{ ...client, server_id: id, user_id: userId, issuer: 'i', token_endpoint: 'x', resource: 'x' },
      ...{ client_secret: sealed('client_secret'), access_token: sealed('access_token') },
      ...{ refresh_token: sealed('refresh_token'), upstream_hash: new Uint8Array(32) },
    },
  });
  const client_secret = box.seal('upstream', secretPlaces.mcpUpstreamClient(id, 'i'));
  await db.prisma.mcpUpstreamClient.create({ data: { ...client, server_id: id, issuer: 'i', client_secret } });
  return id;
}

describe('secrets reseal', () => {
  it('covers every column of the schema that stores encrypted values', () => {
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect([...known, ...SHORT_LIVED].sort()).toEqual(sealedInSchema().sort());
  });

  it('encrypts every value with the first key of the ring, and reports values that no key decrypts', async () => {
    const admin = {
      email: 'root@example.com',
      name: 'Root',
      role: 'admin',
      platformAdmin: true,
      project: 'Core',
    } as const;
    await db.transaction((tx) => createUser(tx, admin));
    const { id: userId } = await db.prisma.user.findUniqueOrThrow({ where: { email: admin.email } });
    await makeRows(userId);
    const lost = createSecretBox([{ id: 'lost', key: Buffer.alloc(32, 9) }]);
    const gone = { id: newId(), project: 'Core', name: 'gone', url: 'x', created_by: userId };
    await db.prisma.webhook.create({ data: { ...gone, secret: lost.seal('x', secretPlaces.webhook(gone.id)) } });
    const env = { DATABASE_URL: database.url, SECRETS_KEYS: ringOf(newKey, oldKey) };
    const run = async () => {
      const { out, err } = await program.run(['secrets', 'reseal', '--json'], env);
      expect(err).toBe('');
      return JSON.parse(out) as object;
    };
    expect(await run()).toEqual({ key: 'new', resealed: SEALED_COLUMNS.length, unreadable: 1 });
    const box = boxOf(newKey);
    for (const sealed of SEALED_COLUMNS) {
      const rows = await db.prisma.$queryRawUnsafe<Record<string, unknown>[]>(
        `SELECT *, ${sealed.column} AS value FROM ${sealed.table} WHERE ${sealed.column} IS NOT NULL AND ${sealed.key[0]} <> '${gone.id}'`,
      );
      expect(rows.length).toBe(1);
      for (const row of rows)
        for (const { sealed: text, place } of sealed.values(row, row['value']))
          expect(box.open(text, place)).not.toBe('');
    }
    expect(await run()).toEqual({ key: 'new', resealed: 0, unreadable: 1 });
    expect(await db.prisma.governanceDecision.count({ where: { action: 'secrets.reseal' } })).toBe(2);
  });
});
