import type { AccountRole } from '@millwright/auth';
import { encodeId, newId } from '@millwright/db';
import { sweepEndpoints, type ParamValues, type SweepTarget } from '@millwright/http-testing';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from './test-console.js';
import { scimClient, scimHeaders, scimIssuer, scimOnly } from './scim/test-scim.js';
import { contracts, scimContracts } from './test-contracts.js';
import { addRecords, setProof } from './test-records.js';

const isKey = <Of extends object>(of: Of, key: PropertyKey): key is keyof Of => Object.hasOwn(of, key);

let database: TestDatabase;
let site: TestConsole;
let target: SweepTarget;
let provisioning: SweepTarget;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { sso: scimOnly([scimIssuer('one'), scimIssuer('two')]) });
  const addUser = (email: string, rights: { role?: AccountRole; platformAdmin?: true } = {}) =>
    site.addUser({ email, ...rights }).then((row) => ({ ...row, email }));
  const signedIn = async (user: Awaited<ReturnType<typeof addUser>>, proof: 'stale' | 'lasting' = 'lasting') => {
    const { access, sessionId } = await site.signIn(user);
    await setProof(site, sessionId, proof);
    return { cookie: `access_token=${access}` };
  };
  const owner = await addUser('owner@example.com', { role: 'admin', platformAdmin: true });
  const own = await addRecords(site, owner);
  const foreign = await addRecords(site, await addUser('stranger@example.com'));
  const member = await addUser('member@example.com');
  const ended = await site.signIn(owner);
  await ended.client('POST', '/admin/api/sign-out');
  await site.db.prisma.signingKey.create({ data: { kid: 'spare-key', issuer: 'runtime-api', public_jwk: {} } });
  const unknown = (prefix: Parameters<typeof encodeId>[0]) => encodeId(prefix, newId());
  const of = (name: keyof typeof own, prefix: Parameters<typeof encodeId>[0]): ParamValues => ({
    own: own[name],
    foreign: foreign[name],
    unknown: unknown(prefix),
  });
  const without = {
    user: await signedIn(await addUser('auditor@example.com', { role: 'auditor' })),
    admin: await signedIn(await addUser('user@example.com')),
    platform_admin: await signedIn(await addUser('admin@example.com', { role: 'admin' })),
    fresh: await signedIn(owner, 'stale'),
  };
  target = {
    baseUrl: site.url,
    tightUrl: await site.addInstance(1e-6),
    credential: await signedIn(owner),
    wrongCredential: { cookie: `access_token=${ended.access}` },
    credentialWithout: (missing) => {
      if (!isKey(without, missing)) throw new Error(`no endpoint needs ${missing} alone`);
      return without[missing];
    },
    params: {
      // An admin can reach every account, so there is no foreign id. An unknown id is used instead.
      user_id: { own: encodeId('usr', member.id), foreign: unknown('usr'), unknown: unknown('usr') },
      session_id: of('session_id', 'ses'),
      passkey_id: of('passkey_id', 'pk'),
      key_id: of('key_id', 'key'),
      client_id: { own: own.client_id, foreign: foreign.client_id, unknown: newId() },
      // An admin can reach every client, so there is no foreign id. An unknown id is used instead.
      application_id: { own: own.client_id, foreign: unknown('cli'), unknown: unknown('cli') },
      // A key that does not sign the tokens of this test.
      kid: { own: 'spare-key', foreign: 'no-key', unknown: 'no-key-either' },
      device_id: of('device_id', 'dev'),
      consent_id: of('consent_id', 'con'),
      decision_id: { own: newId(), foreign: newId(), unknown: newId() },
      project: { own: 'Core', foreign: 'elsewhere', unknown: 'nowhere' },
      identity_id: { own: newId(), foreign: newId(), unknown: newId() },
      request_id: { own: newId(), foreign: newId(), unknown: newId() },
      issuer: { own: 'one', foreign: 'none', unknown: 'none' },
      name: { own: 'seal-audit', foreign: 'another-job', unknown: 'no-job' },
    },
    // Bodies that replace the generated bodies. For the first two operations, a well-formed body would have to contain a valid credential.
    bodies: { createDeviceNonce: {}, mintGatewayToken: {}, createKey: { name: 'Key' } },
  };
  const created = async (issuer: string, path: string, body: object) => {
    const answer = await scimClient(site.url, scimHeaders(issuer))('POST', path, { body: JSON.stringify(body) });
    return (answer.body as { id: string }).id;
  };
  const patch = { Operations: [{ op: 'replace', path: 'externalId', value: 'x' }] };
  provisioning = {
    ...target,
    credential: scimHeaders('one'),
    wrongCredential: { authorization: `Bearer ${'x'.repeat(40)}` },
    params: {
      scim_user_id: {
        own: await created('one', '/Users', { userName: 'one@example.com' }),
        foreign: await created('two', '/Users', { userName: 'two@example.com' }),
        unknown: unknown('usr'),
      },
      scim_group_id: {
        own: await created('one', '/Groups', { displayName: 'One' }),
        foreign: await created('two', '/Groups', { displayName: 'Two' }),
        unknown: newId(),
      },
      document_id: { own: 'User', foreign: 'Role', unknown: 'None' },
    },
    bodies: { patchScimUser: patch, patchScimGroup: patch },
  };
});

afterAll(async () => {
  await site.close();
  await database.drop();
});

describe('every endpoint of admin-auth', () => {
  it.each(sweepEndpoints({ area: 'admin', contracts, target: () => target }))('keeps its contract: $title', ({ run }) =>
    run(),
  );
});

describe('every endpoint for provisioning clients', () => {
  it.each(sweepEndpoints({ area: 'scim', contracts: scimContracts, target: () => provisioning }))(
    'keeps its contract: $title',
    ({ run }) => run(),
  );
});
