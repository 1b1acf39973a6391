import { createHttpClient } from '@millwright/testing';
import { createSurfer, decode } from './test-issuer.js';
import { startSso, type TestSso } from './test-sso.js';

let sso: TestSso;
beforeAll(async () => {
  sso = await startSso({
    open: {},
    strict: { linkByVerifiedEmail: false, createAccounts: false },
    grouped: {
      groups: {
        claim: 'groups',
        map: [
          { group: 'staff', role: 'user', project: 'Commerce' },
          { group: 'admins', role: 'admin', project: 'Core' },
          { group: 'scientists', role: 'user', project: 'research' },
        ],
      },
    },
  });
});
afterAll(() => sso.close());

let count = 0;
const person = () => {
  count += 1;
  return { subject: `subject-${count}`, email: `person-${count}@example.com`, name: `Person ${count}` };
};
const claimsOf = ({ email, name }: ReturnType<typeof person>, more: object = {}) => ({
  ...{ email, email_verified: true, name },
  ...more,
});
const userOf = (email: string) => sso.site.db.prisma.user.findUnique({ where: { email } });
const denials = async (email: string) => {
  const user = await userOf(email);
  return sso.site.db.prisma.governanceDecision.findMany({ where: { user_id: user?.id ?? '', decision: 'deny' } });
};

describe('GET /admin/sso/<name>', () => {
  it('signs a new user in, creates their account and redirects to the requested page', async () => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    const surfer = createSurfer();
    const { url, answer } = await sso.signIn('open', surfer);
    expect([url, answer.status]).toEqual([`${sso.site.url}/admin/profile`, 200]);
    expect((await sso.me(surfer)).body).toMatchObject({
      ...{ email: ann.email, username: ann.name, is_admin: false, project: 'Core', fresh_until: null },
    });
    const user = await userOf(ann.email);
    const rows = await sso.site.db.prisma.governanceDecision.findMany({
      where: { user_id: user?.id ?? '' },
      orderBy: { seq: 'asc' },
    });
    const { url: issuer } = sso.issuer('open');
    expect(rows).toMatchObject([
      { action: 'user.create' },
      { action: 'sso_identity.create', detail: { issuer, subject: ann.subject, by: 'new account' } },
      { action: 'session.create', detail: { method: 'sso', sso: 'open', issuer } },
    ]);
  });

  it('creates an account without a passkey; a registration with the same email address returns no setup token', async () => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    await sso.signIn('open');
    const json = { name: 'Eve', email: ann.email, role: 'user' };
    const { status, body } = await createHttpClient(sso.site.url)('POST', '/admin/api/register', { json });
    expect([status, body]).toEqual([201, { email: ann.email, setup_token: null, setup_url: null }]);
  });

  it("finds the account by the user's subject, even after the user's email address at the issuer has changed", async () => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    await sso.signIn('open');
    sso.issuer('open').login(ann.subject, { email: 'married@elsewhere.example', email_verified: false });
    const surfer = createSurfer();
    await sso.signIn('open', surfer);
    expect((await sso.me(surfer)).body).toMatchObject({ email: ann.email });
  });

  it('uses an email address only from the source (ID token or userinfo) that marks it as verified', async () => {
    const [ann, bob] = [person(), person()];
    await sso.site.addUser({ email: bob.email, name: 'Bob' });
    const issuer = sso.issuer('open');
    issuer.login(ann.subject, claimsOf(ann));
    issuer.tamper((token) => issuer.sign({ ...decode(token)[1], email: bob.email }));
    const surfer = createSurfer();
    await sso.signIn('open', surfer);
    issuer.tamper(undefined);
    expect((await sso.me(surfer)).body).toMatchObject({ email: ann.email, username: ann.name });
  });

  it.each([
    ['a line break', 'Ann\nroot', 'Ann root'],
    ['300 characters', 'x'.repeat(300), 'x'.repeat(200)],
    ['nothing but blanks', ' \u0000 ', undefined],
  ])('creates an account for a name with %s', async (_case, name, kept) => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann, { name }));
    await sso.signIn('open');
    expect((await userOf(ann.email))?.name).toBe(kept ?? ann.email);
  });

  it('links an existing account whose email equals the verified email, in any letter case', async () => {
    const ann = person();
    await sso.site.addUser({ email: ann.email, name: 'Ann', role: 'admin' });
    sso.issuer('open').login(ann.subject, claimsOf(ann, { email: ann.email.toUpperCase() }));
    const surfer = createSurfer();
    await sso.signIn('open', surfer);
    expect((await sso.me(surfer)).body).toMatchObject({ username: 'Ann', is_admin: true });
  });

  it("revokes the passkeys and credentials of an account that a stranger registered with the user's address", async () => {
    const ann = person();
    const user = await sso.site.addUser({ email: ann.email, selfRegistered: true });
    const { client } = await sso.site.signIn(user);
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    const surfer = createSurfer();
    await sso.signIn('open', surfer);
    expect([(await sso.me(surfer)).status, (await client('GET', '/admin/api/me')).status]).toEqual([200, 401]);
    await sso.signIn('open', surfer);
    expect(
      await sso.site.db.prisma.governanceDecision.findMany({
        where: { user_id: user.id, action: 'user.revoke_credentials' },
      }),
    ).toMatchObject([{ detail: { reason: 'linked to the owner of the address', sessions: 1 } }]);
  });

  it('ends the former session of the browser', async () => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    const surfer = createSurfer();
    await sso.signIn('open', surfer);
    await sso.signIn('open', surfer);
    const user = await userOf(ann.email);
    const sessions = await sso.site.db.prisma.userSession.findMany({ where: { user_id: user?.id ?? '' } });
    expect(sessions.map(({ revoked_at }) => revoked_at === null).sort()).toEqual([false, true]);
  });

  it.each<[string, string, object, string]>([
    ['an address that is not verified', 'open', { email_verified: false }, 'did not confirm your email'],
    ['an address whose verification is a text', 'open', { email_verified: 'true' }, 'did not confirm your email'],
    ['no address', 'open', { email: undefined }, 'did not confirm your email'],
    ['an address of another domain', 'open', { email: 'x@elsewhere.example' }, 'not of a domain'],
    ['an address of a subdomain', 'open', { email: 'x@a.example.com' }, 'not of a domain'],
    ['an address with NUL', 'open', { email: 'a\u0000@example.com' }, 'did not confirm your email'],
    ['an address that is malformed', 'open', { email: '..@example.com' }, 'that an account cannot have'],
    ['a domain after a second @', 'open', { email: 'x@example.com@evil.example' }, 'not of a domain'],
    ['an unknown user where accounts are not created', 'strict', {}, 'no account with your email'],
    ['a user without a mapped group', 'grouped', { groups: ['guests'] }, 'None of your groups'],
    ['a user without groups', 'grouped', {}, 'None of your groups'],
    ['groups that are no texts', 'grouped', { groups: [{ staff: true }] }, 'None of your groups'],
  ])('refuses %s with a page, and creates nothing', async (_case, name, change, text) => {
    const ann = person();
    sso.issuer(name).login(ann.subject, claimsOf(ann, change));
    const surfer = createSurfer();
    const before = await sso.site.db.prisma.user.count();
    const { answer } = await sso.signIn(name, surfer);
    expect([[401, 422].includes(answer.status), answer.text.includes(text)]).toEqual([true, true]);
    expect((await sso.me(surfer)).status).toBe(401);
    expect(await sso.site.db.prisma.user.count()).toBe(before);
  });

  it('refuses to link by email when the issuer may not link, and records the refusal', async () => {
    const ann = person();
    await sso.site.addUser({ email: ann.email });
    sso.issuer('strict').login(ann.subject, claimsOf(ann));
    const { answer } = await sso.signIn('strict');
    expect([answer.status, answer.text.includes('not linked')]).toEqual([401, true]);
    expect(await denials(ann.email)).toMatchObject([
      { action: 'session.create', reason: 'single sign-on: linking by email is off' },
    ]);
  });

  it('refuses a second user of the issuer with the address of a linked account', async () => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    await sso.signIn('open');
    sso.issuer('open').login(`${ann.subject}-successor`, claimsOf(ann));
    const surfer = createSurfer();
    const { answer } = await sso.signIn('open', surfer);
    expect([answer.status, (await sso.me(surfer)).status]).toEqual([401, 401]);
    expect(await denials(ann.email)).toMatchObject([{ reason: 'single sign-on: account has another identity' }]);
  });

  it.each([
    ['that is linked', true],
    ['that would be linked', false],
  ])('refuses a disabled account %s, and records the refusal', async (_case, isLinked) => {
    const ann = person();
    await sso.site.addUser({ email: ann.email });
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    if (isLinked) await sso.signIn('open');
    await sso.site.db.prisma.user.update({ where: { email: ann.email }, data: { status: 'inactive' } });
    const surfer = createSurfer();
    const { answer } = await sso.signIn('open', surfer);
    expect([answer.status, (await sso.me(surfer)).status]).toEqual([401, 401]);
    expect(await denials(ann.email)).toMatchObject([{ reason: 'single sign-on: account disabled' }]);
  });

  it('creates one account and one identity for concurrent sign-ins', async () => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    const answers = await Promise.all([1, 2, 3, 4].map(() => sso.signIn('open')));
    for (const { answer } of answers) expect([200, 409]).toContain(answer.status);
    expect(answers.some(({ answer }) => answer.status === 200)).toBe(true);
    const user = await userOf(ann.email);
    expect(await sso.site.db.prisma.ssoIdentity.count({ where: { user_id: user?.id ?? '' } })).toBe(1);
  });

  it('answers 503 with a page while the issuer fails, and signs in after it recovers', async () => {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    const surfer = createSurfer();
    const callback = await sso.callback('open', surfer);
    sso.issuer('open').fail(true);
    const { answer } = await surfer.visit(callback);
    sso.issuer('open').fail(false);
    expect([answer.status, answer.text.includes('does not answer')]).toEqual([503, true]);
    expect((await sso.signIn('open', surfer)).answer.status).toBe(200);
  });

  it.each([
    ['/admin/sso/open', 'POST', 'GET, HEAD'],
    ['/admin/sso/open/callback', 'POST', 'GET, HEAD'],
    ['/admin/sso/open/backchannel-logout', 'GET', 'POST'],
  ])('%s answers 405 to %s', async (path, method, allow) => {
    const { status, headers } = await createHttpClient(sso.site.url)(method, path);
    expect([status, headers.get('allow')]).toEqual([405, allow]);
  });

  it('answers 404 for a name without an issuer', async () => {
    const { answer } = await createSurfer().visit(`${sso.site.url}/admin/sso/nobody`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')]);
    const program = await createHttpClient(sso.site.url)('GET', '/admin/sso/nobody/callback');
    expect(program.body).toMatchObject({ error: { code: 'not_found', status: 404 } });
  });
});

describe('the groups of an issuer', () => {
  it.each<[string, string[], object]>([
    ['one group', ['staff'], { role: 'user', project: 'Commerce' }],
    ['the group of admins besides another', ['staff', 'admins'], { role: 'admin', project: 'Core' }],
  ])('determine role and project: %s', async (_case, groups, rights) => {
    const ann = person();
    sso.issuer('grouped').login(ann.subject, claimsOf(ann, { groups }));
    await sso.signIn('grouped');
    expect(await userOf(ann.email)).toMatchObject({ ...rights, platform_admin: false });
  });

  it('can give access to a project that a platform admin made; while that project does not exist, the user is refused', async () => {
    const ann = person();
    sso.issuer('grouped').login(ann.subject, claimsOf(ann, { groups: ['scientists'] }));
    const { answer } = await sso.signIn('grouped');
    expect([answer.status, answer.text]).toEqual([
      401,
      expect.stringContaining('Your group gives access to a project that does not exist.') as string,
    ]);
    await sso.site.db.prisma.project.create({ data: { id: 'research', name: 'Research' } });
    await sso.signIn('grouped');
    expect(await userOf(ann.email)).toMatchObject({ role: 'user', project: 'research' });
  });

  it('determine the role again at each sign-in; a user without a mapped group is refused', async () => {
    const ann = person();
    const signIn = async (groups: string[]) => {
      sso.issuer('grouped').login(ann.subject, claimsOf(ann, { groups }));
      return (await sso.signIn('grouped')).answer.status;
    };
    await signIn(['admins']);
    await signIn(['staff']);
    expect(await userOf(ann.email)).toMatchObject({ role: 'user', project: 'Commerce' });
    expect(await signIn([])).toBe(401);
    expect(await denials(ann.email)).toMatchObject([{ reason: 'single sign-on: no group gives access' }]);
    const user = await userOf(ann.email);
    expect(
      await sso.site.db.prisma.governanceDecision.findMany({
        where: { user_id: user?.id ?? '', action: 'user.update' },
      }),
    ).toMatchObject([{ detail: { issuer: sso.issuer('grouped').url, role: { from: 'admin', to: 'user' } } }]);
  });

  it('neither give nor remove the role of platform admin', async () => {
    const ann = person();
    await sso.site.addUser({ email: ann.email, role: 'admin', platformAdmin: true });
    sso.issuer('grouped').login(ann.subject, claimsOf(ann, { groups: ['staff'] }));
    expect((await sso.signIn('grouped')).answer.status).toBe(200);
    expect(await userOf(ann.email)).toMatchObject({ role: 'admin', platform_admin: true, project: 'Core' });
  });
});

describe('GET /admin/sso/confirm', () => {
  const freshUntil = async (surfer: ReturnType<typeof createSurfer>) =>
    ((await sso.me(surfer)).body as { fresh_until: string | null }).fresh_until;
  const confirm = (surfer: ReturnType<typeof createSurfer>, until?: string) =>
    surfer.visit(`${sso.site.url}/admin/sso/confirm?redirect=${encodeURIComponent('/admin/profile')}`, until);

  async function signedIn() {
    const ann = person();
    sso.issuer('open').login(ann.subject, claimsOf(ann));
    const surfer = createSurfer();
    await sso.signIn('open', surfer);
    return { ann, surfer };
  }

  it('makes the session fresh after a new proof at the issuer', async () => {
    const { ann, surfer } = await signedIn();
    expect(await freshUntil(surfer)).toBeNull();
    const { url } = await confirm(surfer);
    expect(url).toBe(`${sso.site.url}/admin/profile`);
    expect(await freshUntil(surfer)).not.toBeNull();
    const user = await userOf(ann.email);
    expect(
      await sso.site.db.prisma.governanceDecision.findMany({
        where: { user_id: user?.id ?? '', action: 'session.step_up' },
      }),
    ).toMatchObject([{ decision: 'allow', detail: { issuer: sso.issuer('open').url } }]);
  });

  it('refuses a proof by another user, and writes the refusal to the audit log', async () => {
    const { ann, surfer } = await signedIn();
    const other = person();
    sso.issuer('open').login(other.subject, claimsOf(other));
    surfer.forget(sso.issuer('open').url);
    const { answer } = await confirm(surfer);
    expect([answer.status, await freshUntil(surfer)]).toEqual([403, null]);
    expect(await denials(ann.email)).toMatchObject([{ reason: 'single sign-on: proof by another user' }]);
  });

  it.each<[string, object]>([
    ['a proof from before the request', { auth_time: Math.floor(Date.now() / 1_000) - 120 }],
    ['a proof that is more than an hour old', { auth_time: Math.floor(Date.now() / 1_000) - 4_000 }],
    ['an ID token without the time of the proof', { auth_time: undefined }],
  ])('refuses %s', async (_case, change) => {
    const { surfer } = await signedIn();
    const issuer = sso.issuer('open');
    issuer.tamper((token) => {
      const [, claims] = decode(token);
      return issuer.sign({ ...claims, ...change });
    });
    const { answer } = await confirm(surfer);
    issuer.tamper(undefined);
    expect([401, 403]).toContain(answer.status);
    expect(await freshUntil(surfer)).toBeNull();
  });

  it('refuses the answer in a session that did not start the proof', async () => {
    const { surfer } = await signedIn();
    const { url } = await confirm(surfer, '/callback');
    await sso.signIn('open', surfer);
    const { answer } = await surfer.visit(url);
    expect([answer.status, await freshUntil(surfer)]).toEqual([401, null]);
  });

  it('is unavailable for a session opened by passkey', async () => {
    const user = await sso.site.addUser({ email: person().email });
    const { client } = await sso.site.signIn(user);
    expect((await client('GET', '/admin/sso/confirm')).status).toBe(404);
  });
});
