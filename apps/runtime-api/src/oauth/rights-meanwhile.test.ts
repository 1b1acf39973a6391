import type { Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startRuntime, type TestClient, type TestRuntime } from '../test-runtime.js';
import type { Client } from './clients.store.js';
import { createGrantStore, type Refreshed } from './grants.store.js';

let database: TestDatabase;
let runtime: TestRuntime;
let client: TestClient;
beforeAll(async () => {
  database = await createTestDatabase();
  runtime = await startRuntime(database.url, 'http://127.0.0.1:1');
  client = await runtime.newClient();
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const ORIGIN = { requestId: 'r', ip: '127.0.0.1' };

async function newToken() {
  const { client_id, client_secret } = client;
  const { body } = await runtime.askToken({ grant_type: 'client_credentials', client_id, client_secret });
  return (body as { refresh_token: string }).refresh_token;
}

/** Creates a grant store in which another transaction runs `change` immediately before the first redemption. */
function storeWith(change: () => Promise<unknown>) {
  let [isChanged, redemptions] = [false, 0];
  const db: Database = {
    ...runtime.db,
    get prisma() {
      return runtime.db.prisma;
    },
    prepared: async (name, text, values) => {
      if (name === 'redeem-refresh-token') {
        redemptions += 1;
        if (!isChanged) await change();
        isChanged = true;
      }
      return runtime.db.prepared(name, text, values);
    },
  };
  return { grants: createGrantStore(db, { maxDays: 90 }), redemptions: () => redemptions };
}

const rotate = async (change: () => Promise<unknown>) => {
  const stored = await runtime.db.prisma.oAuthClient.findUniqueOrThrow({ where: { client_id: client.client_id } });
  const { grants, redemptions } = storeWith(change);
  const seen: Refreshed[] = [];
  const refreshToken = await newToken();
  const rotated = await grants.rotate(
    stored as unknown as Client,
    ORIGIN,
    { refreshToken, jkt: undefined },
    (granted) => {
      seen.push(granted);
      return granted;
    },
  );
  return { rotated, seen, redemptions: redemptions() };
};

describe('a refresh token whose rights change while it is redeemed', () => {
  it('yields tokens with the rights that the account has after the change, and not before it', async () => {
    const { rotated, seen, redemptions } = await rotate(() =>
      runtime.db.prisma.user.update({ where: { id: runtime.owner.id }, data: { delegated_role: 'project_admin' } }),
    );
    expect(seen.map(({ user_delegated_role: role }) => role)).toEqual([null, 'project_admin']);
    expect([rotated?.refreshToken !== undefined, redemptions]).toEqual([true, 2]);
  });

  it('yields the scopes that the grant has at its redemption', async () => {
    const scopes = ['agents:read'];
    const { rotated, seen } = await rotate(() => runtime.db.prisma.oAuthGrant.updateMany({ data: { scopes } }));
    expect([seen.length, rotated?.scopes]).toEqual([2, scopes]);
  });

  it('yields no tokens when its grant ends during the redemption', async () => {
    const { rotated, seen } = await rotate(() =>
      runtime.db.prisma.oAuthGrant.updateMany({ data: { revoked_at: new Date() } }),
    );
    expect([seen.length, rotated]).toEqual([1, undefined]);
  });
});
