import { generateKeyPairSync } from 'node:crypto';
import { createDatabase, newId, type Database } from '@millwright/db';
import pg from 'pg';
import { sealAuditLog, type Actor, type FindSealKey, type PublicSealKey, type SealKey } from './index.js';

export const openDatabase = (url: string, poolMax = 4): Database => createDatabase({ url, poolMax });

export async function makeActor(db: Database): Promise<Actor> {
  const data = {
    id: newId(),
    email: 'ann@example.com',
    name: 'Ann',
    webauthn_user_id: crypto.getRandomValues(new Uint8Array(32)),
  };
  const { id } = await db.prisma.user.create({ data });
  return { userId: id, kind: 'user', label: 'Ann' };
}

export function makeSealKey(kid: string): SealKey & { jwk: PublicSealKey; find: FindSealKey } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const find: FindSealKey = (asked) => Promise.resolve(asked === kid ? publicKey : undefined);
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid }, find };
}

/** Writes audit rows that differ in every field. */
export async function writeRows(url: string, userId: string, count: number, at = new Date()): Promise<void> {
  await asSuperuser(url, async (client) => {
    for (let n = 0; n < count; n++) {
      await client.query(
        `INSERT INTO governance_decisions (id, user_id, actor_kind, actor_id, action, resource, project, decision, reason, request_id, ip, detail, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
        [
          newId(),
          userId,
          ['user', 'job', 'mcp'][n % 3],
          `Ann ${n}`,
          'skill.update',
          `sk_${n}`,
          n % 2 ? 'Core' : null,
          n % 5 ? 'allow' : 'deny',
          n % 5 ? null : 'scope is missing',
          `request-${n}`,
          '192.0.2.1',
          JSON.stringify({ b: n, a: { y: [1, null, 'ü'], x: 1.5 } }),
          at,
        ],
      );
    }
  });
}

/** Writes rows that several seals cover, and some rows without a seal. */
export async function writeSealedAuditLog(
  db: Database,
  url: string,
  userId: string,
  key: SealKey,
  seals = 5,
  rowsEach = 12,
) {
  for (let n = 0; n < seals; n++) {
    await db.prisma.$queryRaw`SELECT nextval('governance_decisions_seq_seq')`; // a transaction that was rolled back leaves a gap
    await writeRows(url, userId, rowsEach);
    await sealAuditLog(db, key);
  }
  await writeRows(url, userId, 3);
}

/** Runs statements after disabling the triggers that prevent even a superuser from changing the audit log. */
export async function asSuperuser<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates a generator of pseudo-random numbers that are the same in each run (mulberry32). */
export function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item,
    /** Returns two different items, in the order of the list. */
    pair: <Item>(items: readonly Item[]): [Item, Item] => {
      const [one, step] = [below(items.length), 1 + below(items.length - 1)];
      const other = (one + step) % items.length;
      return [items[Math.min(one, other)] as Item, items[Math.max(one, other)] as Item];
    },
  };
}
