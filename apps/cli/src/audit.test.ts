import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordAction, recordDenial, sealAuditLog } from '@millwright/audit';
import { loadSigningKey, publishSigningKey, type SigningKey } from '@millwright/auth/signing-keys';
import { createDatabase, type Database } from '@millwright/db';
import { lockSeals } from '@millwright/audit/seal-bucket';
import { createEmptyDatabase, createTestDatabase, startLockServer, type TestDatabase } from '@millwright/testing';
import { createTestProgram, type TestProgram } from './test-program.js';

let program: TestProgram;
let database: TestDatabase;
let db: Database;
let folder: string;
let key: SigningKey;

beforeAll(async () => {
  program = createTestProgram();
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  folder = mkdtempSync(join(tmpdir(), 'millwright-keys-'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(join(folder, 'admin-auth.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  key = await loadSigningKey(join(folder, 'admin-auth.pem'));
  await publishSigningKey(db, 'admin-auth', key);
  for (const name of ['root', 'ann', 'bea'])
    await run('users', 'create', '--email', `${name}@example.com`, '--name', name, '--platform-admin');
  await sealAuditLog(db, key);
  await run('users', 'create', '--email', 'late@example.com', '--name', 'Late');
});
afterAll(async () => {
  await db.close();
  await database.drop();
  program.remove();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => program.run(args, { DATABASE_URL: database.url });
const offline = (...args: string[]) => program.run(args);
const fileWith = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe('millwright audit', () => {
  it('exports the audit log, and verifies the export offline with keys from a separate file', async () => {
    const { code, out } = await run('audit', 'export');
    expect(code).toBe(0);
    const file = fileWith('audit.jsonl', out);
    const keys = fileWith('keys.json', (await run('signing-keys', 'list', '--json')).out);
    const outcome = await offline('audit', 'verify', file, '--keys', keys, '--json');
    expect(outcome).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(outcome.out)).toMatchObject({
      rows: 4,
      seals: 1,
      unsealed: 1,
      complete: true,
      keys: 'given',
      kids: [key.kid],
      end: 'unsigned',
      faults: [],
    });
    expect((await offline('audit', 'verify', file)).out).toMatch(/^keys +file$/m);
    expect(JSON.parse((await run('audit', 'verify', '--json')).out)).toMatchObject({
      rows: 3,
      unsealed: 1,
      faults: [],
    });
  });

  it('verify prints the rows missing from an export, one per line, and exits with code 1', async () => {
    const lines = (await run('audit', 'export')).out.split('\n');
    const [one, other] = lines.slice(1, 3).map((line) => (JSON.parse(line) as { id: string }).id);
    const file = fileWith(
      'changed.jsonl',
      [lines[0], lines[1]?.replace('root', 'nobody'), ...lines.slice(3)].join('\n'),
    );
    const { code, out } = await offline('audit', 'verify', file);
    expect(code).toBe(1);
    expect(out).toContain(`edited: row ${one ?? ''}: differs from what was sealed`);
    expect(out).toContain(`deleted: row ${other ?? ''}: is gone`);
  });

  it('verify prints the rows changed in the database and exits with code 1', async () => {
    const changed = await db.transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      const rows = await tx.$queryRaw<{ id: string }[]>`
        UPDATE governance_decisions SET actor_id = actor_id || '!' WHERE seq = 2 RETURNING id`;
      return rows[0]?.id ?? '';
    });
    const { code, out } = await run('audit', 'verify', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ faults: [{ kind: 'edited', row: changed, seal: 1 }] });
    await db.transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`UPDATE governance_decisions SET actor_id = rtrim(actor_id, '!') WHERE seq = 2`;
    });
    expect((await run('audit', 'verify')).code).toBe(0);
  });

  it('verify reports seals whose key is in the database but was not pinned', async () => {
    const pinned = fileWith('pinned.json', (await run('signing-keys', 'list', '--json')).out);
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const public_jwk = { ...publicKey.export({ format: 'jwk' }) } as Record<string, string>;
    const inserted = { kid: 'foreign', issuer: 'admin-auth', public_jwk, retired_at: new Date() };
    await db.prisma.signingKey.create({ data: inserted });
    await sealAuditLog(db, { kid: 'foreign', privateKey });
    expect((await run('audit', 'verify')).code).toBe(0);
    const fault = { kind: 'seal', seal: 2, reason: expect.stringContaining('foreign is not trusted') as string };
    const verify = ['audit', 'verify', '--json'];
    const env = { DATABASE_URL: database.url, AUDIT_PINNED_KEYS_FILE: pinned };
    for (const outcome of [await run(...verify, '--keys', pinned), await program.run(verify, env)]) {
      expect(outcome.code).toBe(1);
      expect(JSON.parse(outcome.out)).toMatchObject({ keys: 'given', faults: [fault] });
    }
    await db.prisma.signingKey.delete({ where: { kid: 'foreign' } });
    await db.transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
      await tx.$executeRaw`DELETE FROM audit_seals WHERE number = 2`;
    });
  });

  it('verify compares the seals with their copies in the bucket, names a seal that differs and exits with code 1', async () => {
    const server = await startLockServer();
    const env = {
      DATABASE_URL: database.url,
      AUDIT_SEAL_S3_BUCKET: server.bucket.bucket,
      AUDIT_SEAL_S3_ENDPOINT: server.bucket.endpoint,
      AUDIT_SEAL_S3_ACCESS_KEY_ID: 'reader',
      AUDIT_SEAL_S3_SECRET_ACCESS_KEY: 'secret',
    };
    const verify = (...more: string[]) => program.run(['audit', 'verify', ...more], env);
    const seal = await db.prisma.auditSeal.findUniqueOrThrow({ where: { number: 1 } });
    const notice = { number: 1, hash: seal.hash, rows: seal.rows, sealed_at: '', kid: key.kid };
    await lockSeals(server.bucket, [notice]);
    const whole = await verify('--json');
    expect(whole).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(whole.out)).toMatchObject({ copies: 1, copied: 1, uncopied: 0, faults: [] });
    await lockSeals(server.bucket, [{ ...notice, hash: 'another' }]);
    const changed = await verify();
    expect(changed.code).toBe(1);
    expect(changed.out).toMatch(
      /^copy: seal 1: differs from its copy audit-seals\/0000000001-0000000001\.json of \S+Z$/m,
    );
    await server.close();
    expect(await verify()).toMatchObject({ code: 4, err: expect.stringContaining('The bucket seals') as string });
    expect(await program.run(['audit', 'verify'], { ...env, AUDIT_SEAL_S3_ACCESS_KEY_ID: '' })).toMatchObject({
      code: 78,
    });
  });

  it('export writes only the rows between --from and --to', async () => {
    const { out } = await run('audit', 'export', '--from', '2999-01-01', '--to', '2999-02-01T00:00:00Z');
    const file = fileWith('none.jsonl', out);
    expect(JSON.parse((await offline('audit', 'verify', file, '--json')).out)).toMatchObject({
      rows: 0,
      from: '2999-01-01T00:00:00.000Z',
      faults: [],
    });
  });

  it.each([
    ['a missing file', ['audit', 'verify', '/nowhere.jsonl'], 1, 'cannot be read'],
    ['a file without keys', ['audit', 'verify', '/dev/null', '--keys', '/dev/null'], 1, '--keys'],
    ['an invalid time', ['audit', 'export', '--from', 'yesterday'], 2, 'must be a time'],
  ])('prints the reason for %s on standard error, and nothing on standard output', async (_case, args, code, text) => {
    const outcome = await offline(...args);
    expect(outcome).toMatchObject({ code, out: '' });
    expect(outcome.err).toContain(text);
  });

  it('verify refuses an empty file', async () => {
    expect(await offline('audit', 'verify', '/dev/null')).toMatchObject({ code: 1 });
  });
});

describe('millwright audit trace', () => {
  const RUN = 'run_0000000000000000000000';
  let file: string;
  let keys: string;

  beforeAll(async () => {
    const { id: userId } = await db.prisma.user.findUniqueOrThrow({ where: { email: 'ann@example.com' } });
    const actor = { userId, kind: 'mcp' as const, label: 'files' };
    const call = (detail: object) => ({
      actor,
      action: 'mcp.call',
      resource: 'ms_1',
      project: 'Core',
      detail: { ...detail },
    });
    const step = { tool: 'delete', agent: 'clerk', agent_version: 3, run: RUN, approval: 'apr_1' };
    await recordAction(db, call(step));
    await recordAction(db, call({ ...step, run: 'run_other' }));
    await recordAction(db, {
      ...call({}),
      actor: { ...actor, kind: 'user', label: 'Ann' },
      action: 'run.cancel',
      resource: RUN,
    });
    await sealAuditLog(db, key);
    await recordDenial(
      db,
      call({
        ...{ tool: 'delete', agent: 'clerk', agent_version: 3, run: RUN },
        actors: ['ag_9@2 of https://other.example', 'app'],
      }),
      'nobody has approved the call',
    );
    file = fileWith('run.jsonl', (await run('audit', 'export')).out);
    keys = fileWith('run-keys.json', (await run('signing-keys', 'list', '--json')).out);
  });

  interface Traced {
    rows: { row: { action: string; decision: string }; seal: number | null; fault: string | null }[];
    faults: unknown[];
  }
  const seenIn = (out: string) =>
    (JSON.parse(out) as Traced).rows.map(({ row, seal, fault }) => [row.action, row.decision, seal === null, fault]);
  const ROWS = [
    ['mcp.call', 'allow', false, null],
    ['run.cancel', 'allow', false, null],
    ['mcp.call', 'deny', true, null],
  ];

  it('prints the rows of one run with user, agent, version, approval and seal, read from the database or from an export', async () => {
    for (const outcome of [
      await run('audit', 'trace', RUN),
      await offline('audit', 'trace', RUN, '--file', file, '--keys', keys),
    ]) {
      expect(outcome).toMatchObject({ code: 0, err: '' });
      const lines = outcome.out.trim().split('\n');
      expect(lines).toHaveLength(4);
      expect(lines[0]).toMatch(
        /^\S+Z \| user \S+ \| agent clerk@3 \| mcp files \| mcp\.call \| ms_1 delete \| allow \| approval apr_1 \| seal \d+$/,
      );
      expect(lines[2]).toContain(' | agent clerk@3 | for ag_9@2 of https://other.example, for app | mcp files | ');
      expect(lines[2]).toMatch(/\| deny \| nobody has approved the call \| not sealed yet$/);
      expect(lines[3]).toContain('3 rows, 1 not sealed yet, keys: given');
    }
    for (const outcome of [
      await run('audit', 'trace', RUN, '--json'),
      await offline('audit', 'trace', RUN, '--file', file, '--json'),
    ])
      expect(seenIn(outcome.out)).toEqual(ROWS);
  });

  it('marks a row that differs from its seal, and exits with code 1', async () => {
    const changed = fileWith(
      'run-changed.jsonl',
      readFileSync(file, 'utf8').replace('"approval":"apr_1"', '"approval":"apr_2"'),
    );
    const { code, out } = await offline('audit', 'trace', RUN, '--file', changed, '--keys', keys);
    expect(code).toBe(1);
    expect(out.split('\n')[0]).toMatch(/approval apr_2 \| FAULT: differs from what was sealed$/);
  });

  it('reports seals that were signed with a key that is not trusted', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const foreign = fileWith(
      'foreign.json',
      JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'x' }] }),
    );
    const outcome = await offline('audit', 'trace', RUN, '--file', file, '--keys', foreign);
    expect(outcome.code).toBe(1);
    expect(outcome.out).toContain('is not trusted');
  });

  it('prints no rows for an unknown run, and exits with code 1 for an unreadable file', async () => {
    expect((await run('audit', 'trace', 'run_unknown')).out).toMatch(/^0 rows/);
    expect(await offline('audit', 'trace', RUN, '--file', '/nowhere.jsonl')).toMatchObject({ code: 1, out: '' });
  });
});

describe('millwright signing-keys', () => {
  interface Rotated {
    kid: string;
    file: string | null;
    secret?: string;
  }
  const rotate = async (env: Record<string, string>, ...more: string[]) => {
    const args = ['signing-keys', 'rotate', '--issuer', 'admin-auth', ...more, '--json'];
    const { code, out, err } = await program.run(args, { DATABASE_URL: database.url, ...env });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return JSON.parse(out) as Rotated;
  };
  const list = async () =>
    JSON.parse((await run('signing-keys', 'list', '--json')).out) as {
      kid: string;
      current: boolean;
      active_at: string | null;
    }[];

  it('rotate writes a new key to the key file, which only its owner can read, and publishes the new key before its first use', async () => {
    const file = join(folder, 'admin-auth.pem');
    const { kid, ...rest } = await rotate({ KEY_FOLDER: folder });
    expect(rest).toMatchObject({ file });
    expect((await loadSigningKey(file)).kid).toBe(kid);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(rest)).not.toContain('PRIVATE');
    expect(await list()).toMatchObject([
      { kid, current: false, active_at: null },
      { kid: key.kid, current: true },
    ]);
  });

  it('rotate prints a Kubernetes Secret with the key, once, when the key file cannot be written', async () => {
    const before = readFileSync(join(folder, 'admin-auth.pem'), 'utf8');
    const { kid, file, secret = '' } = await rotate({}, '--file', join(folder, 'none', 'key.pem'));
    expect(file).toBeNull();
    expect(secret).toMatch(/^kind: Secret\nmetadata:\n {2}name: admin-auth-signing-key\n {2}namespace: millwright$/m);
    const pem = secret.slice(secret.indexOf('-----BEGIN')).replaceAll(/^ {4}/gm, '');
    expect((await loadSigningKey(fileWith('printed.pem', pem))).kid).toBe(kid);
    expect((await list())[0]?.kid).toBe(kid);
    expect(readFileSync(join(folder, 'admin-auth.pem'), 'utf8')).toBe(before);
    expect(JSON.stringify(await db.prisma.governanceDecision.findMany({ select: { detail: true } }))).not.toContain(
      'PRIVATE',
    );
  });

  it('rotate prints only the Kubernetes Secret on standard output when there is no key file', async () => {
    const { code, out, err } = await run('signing-keys', 'rotate', '--issuer', 'runtime-api');
    expect(code).toBe(0);
    expect(out).toMatch(/^apiVersion: v1\nkind: Secret\n[^]*\n {4}-----END PRIVATE KEY-----\n$/);
    expect(err).toContain('Apply the secret with kubectl.');
    expect(err).not.toContain('PRIVATE');
  });

  it.each([[[]], [['--issuer', 'gateway']]])('rotate with the options %j exits with code 2', async (more) => {
    expect(await run('signing-keys', 'rotate', ...more)).toMatchObject({ code: 2, out: '' });
  });
});

describe('millwright db migrate --jobs-owner', () => {
  it('creates the account of JOBS_OWNER if it does not exist: the first account as a platform admin, every other account as an admin', async () => {
    const empty = await createEmptyDatabase();
    const migrate = async (JOBS_OWNER: string) => {
      const { out } = await program.run(['db', 'migrate', '--jobs-owner', '--json'], {
        DATABASE_URL: empty.url,
        JOBS_OWNER,
      });
      return (JSON.parse(out) as { jobs_owner: string }).jobs_owner;
    };
    expect([
      await migrate('op@example.com'),
      await migrate('op@example.com'),
      await migrate('two@example.com'),
    ]).toEqual(['created', 'exists', 'created']);
    const { out } = await program.run(['users', 'list', '--json'], { DATABASE_URL: empty.url });
    expect(JSON.parse(out)).toMatchObject([
      { email: 'op@example.com', role: 'admin', platform_admin: true, status: 'active' },
      { email: 'two@example.com', role: 'admin', platform_admin: false },
    ]);
    const bad = await program.run(['db', 'migrate', '--jobs-owner'], { DATABASE_URL: empty.url, JOBS_OWNER: 'nobody' });
    expect(bad).toMatchObject({ code: 1 });
    expect(bad.err).toContain('is not an email address');
    await empty.drop();
  });

  it('is required to create an account: without the option, db migrate only changes the schema', async () => {
    const empty = await createEmptyDatabase();
    const env = { DATABASE_URL: empty.url, JOBS_OWNER: 'op@example.com' };
    expect(JSON.parse((await program.run(['db', 'migrate', '--json'], env)).out)).not.toHaveProperty('jobs_owner');
    expect(JSON.parse((await program.run(['users', 'list', '--json'], env)).out)).toEqual([]);
    await empty.drop();
  });
});
