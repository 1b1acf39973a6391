import { unlinkSsoIdentity } from '@millwright/accounts/identities';
import { encodeId, newId } from '@millwright/db';
import { noticeText } from '../notices/notice-texts.js';
import { createSurfer } from '../sso/test-issuer.js';
import { startSso, type TestSso } from '../sso/test-sso.js';
import { setProof } from '../test-records.js';

let sso: TestSso;
beforeAll(async () => {
  sso = await startSso({ first: {}, second: {} });
});
afterAll(() => sso.close());

async function linked(subject: string) {
  const email = `${subject}@example.com`;
  const surfers = { first: createSurfer(), second: createSurfer() };
  for (const name of ['first', 'second'] as const) {
    sso.issuer(name).login(subject, { email, email_verified: true, name: subject });
    await sso.signIn(name, surfers[name]);
  }
  const user = await sso.site.db.prisma.user.findUniqueOrThrow({ where: { email } });
  const path = `/admin/api/users/${encodeId('usr', user.id)}/identities`;
  const isIn = async (name: 'first' | 'second') => (await sso.me(surfers[name])).status === 200;
  return { user, path, isIn };
}
async function admin(email: string, role: 'admin' | 'project_admin' = 'admin') {
  return sso.site.signIn(await sso.site.addUser({ email, role }));
}
interface Identities {
  items: { id: string; issuer: string; subject: string }[];
}

describe('DELETE /admin/api/users/{user_id}/identities/{identity_id}', () => {
  it('unlinks one identity provider, ends the sessions that this provider opened, and is audited', async () => {
    const { user, path, isIn } = await linked('ann');
    const { client } = await admin('root@example.com');
    const { items } = (await client('GET', path)).body as Identities;
    expect(items.map(({ issuer, subject }) => [issuer, subject])).toEqual([
      [sso.issuer('first').url, 'ann'],
      [sso.issuer('second').url, 'ann'],
    ]);
    expect((await client('DELETE', `${path}/${items[0]?.id}`)).status).toBe(204);
    expect([await isIn('first'), await isIn('second')]).toEqual([false, true]);
    expect(((await client('GET', path)).body as Identities).items).toHaveLength(1);
    const where = { resource: encodeId('usr', user.id), action: 'sso_identity.delete' };
    expect(await sso.site.db.prisma.governanceDecision.findMany({ where })).toMatchObject([
      { actor_id: 'Ada', detail: { issuer: sso.issuer('first').url, subject: 'ann', sessions: 1 } },
    ]);
  });

  it('notifies the user when an admin or an operator command unlinks the identity', async () => {
    const { user, path } = await linked('eve');
    const { client } = await admin('root4@example.com');
    const { items } = (await client('GET', path)).body as Identities;
    await client('DELETE', `${path}/${items[0]?.id}`);
    const { db } = sso.site;
    const waiting = () => db.prisma.accountNotice.findMany({ where: { user_id: user.id, kind: 'identity_unlinked' } });
    expect(await waiting()).toMatchObject([{ email: user.email, detail: { issuer: sso.issuer('first').url } }]);
    const actor = { userId: user.id, kind: 'user', label: 'x', requestId: 'req-1', ip: '' } as const;
    await db.transaction((tx) =>
      unlinkSsoIdentity(tx, user.id, { issuer: sso.issuer('second').url }, actor, () => undefined),
    );
    expect(await waiting()).toHaveLength(2);
    const facts = { email: user.email, baseUrl: sso.site.url, detail: { issuer: sso.issuer('first').url } };
    expect(noticeText('identity_unlinked', facts).text).toContain(`unlinked from ${sso.issuer('first').url}`);
  });

  it('answers 404 for an identity of another account, a removed identity and a malformed id', async () => {
    const [one, two] = [await linked('bea'), await linked('cyd')];
    const { client } = await admin('root2@example.com');
    const { items } = (await client('GET', two.path)).body as Identities;
    const statuses = [];
    for (const id of [items[0]?.id, newId(), 'x']) statuses.push((await client('DELETE', `${one.path}/${id}`)).status);
    expect(statuses).toEqual([404, 404, 404]);
    expect(await two.isIn('first')).toBe(true);
  });

  it('requires an admin with a recent proof', async () => {
    const { path } = await linked('dot');
    const root = await admin('root3@example.com');
    const { items } = (await root.client('GET', path)).body as Identities;
    await setProof(sso.site, root.sessionId, 'stale');
    const project = await admin('project@example.com', 'project_admin');
    const answers = [
      await root.client('DELETE', `${path}/${items[0]?.id}`),
      await project.client('DELETE', `${path}/${items[0]?.id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(await sso.site.db.prisma.ssoIdentity.count({ where: { id: items[0]?.id ?? '' } })).toBe(1);
  });
});
