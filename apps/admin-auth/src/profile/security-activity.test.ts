import { recordDecision } from '@millwright/audit';
import { encodeId } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { bodyOf } from '../test-sign-in.js';

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

describe('GET /admin/api/me/security-activity', () => {
  it("lists only changes of the user's ways to sign in, by the user or by admins, latest first", async () => {
    const ada = await site.addUser({ email: 'ada@example.com', name: 'Ada' });
    const root = await site.addUser({ email: 'root@example.com', name: 'Root', role: 'admin' });
    const { client } = await site.signIn(ada);
    const usr = (user: { id: string }) => encodeId('usr', user.id);
    const record = (user: { id: string; name: string }, action: string, resource: string, detail: object = {}) =>
      site.db.transaction((tx) =>
        recordDecision(tx, {
          actor: { userId: user.id, kind: 'user', label: user.name, ip: '192.0.2.7' },
          action,
          resource,
          detail: { ...detail },
        }),
      );
    await record(ada, 'passkey.create', usr(ada));
    await record(ada, 'session.create', 'ses_1', { method: 'passkey' });
    await record(ada, 'session.create', 'ses_2', { method: 'magic_link' });
    await record(root, 'user.update', usr(ada), { role: { from: 'user', to: 'admin' } });
    await record(root, 'user.update', usr(ada), { email: { from: 'a', to: 'b' } });
    await record(root, 'platform_admin.confirm', usr(ada));
    await record(root, 'passkey.remove', usr(root));
    await record(ada, 'skill.create', 'sk_1');
    await record(ada, 'passkey.remove', usr(ada));
    const { items } = bodyOf(await client('GET', '/admin/api/me/security-activity')) as { items: object[] };
    expect(items).toMatchObject([
      { event: 'passkey_removed', by: 'you', ip: '192.0.2.7' },
      { event: 'role_changed', by: 'administrator', ip: null },
      { event: 'email_changed', by: 'administrator', ip: null },
      { event: 'role_changed', by: 'administrator', ip: null },
      { event: 'recovery_used', by: 'you', ip: '192.0.2.7' },
      { event: 'passkey_added', by: 'you', ip: '192.0.2.7' },
    ]);
    for (let n = 0; n < 20; n += 1) await record(ada, 'device.create', `dev_${n}`);
    const more = bodyOf(await client('GET', '/admin/api/me/security-activity')) as { items: { event: string }[] };
    expect(more.items.map(({ event }) => event)).toEqual(Array(20).fill('device_linked'));
  });
});
