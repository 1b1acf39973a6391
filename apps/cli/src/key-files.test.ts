import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '@millwright/config';
import { secretsConfig } from '@millwright/secrets';
import { z } from 'zod';
import { createTestProgram, type TestProgram } from './test-program.js';

let program: TestProgram;
let folder: string;

beforeEach(() => {
  program = createTestProgram();
  folder = mkdtempSync(join(tmpdir(), 'millwright-key-files-'));
});
afterEach(() => {
  program.remove();
  rmSync(folder, { recursive: true });
});

const ALL = [
  'admin-auth/signing-key.pem',
  'admin-auth/device-ca.pem',
  'admin-auth/device-ca-certificate.pem',
  'runtime-api/signing-key.pem',
  'secrets/secrets.env',
  'postgres/password',
  'database/database.env',
];
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const valueIn = (name: string) => read(name).trimEnd().replace(/^\w+=/, '');

async function create(): Promise<string[]> {
  const url = 'postgresql://millwright@postgres:5432/millwright';
  const { code, out, err } = await program.run([
    ...['key-files', 'create', '--folder', folder],
    ...['--database-url', url, '--json'],
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return (JSON.parse(out) as { created: string[] }).created;
}

describe('millwright key-files create', () => {
  it('creates files that only their owner can read, and prints none of the values in these files', async () => {
    expect(await create()).toEqual(ALL);
    for (const name of ALL) {
      expect({ name, mode: statSync(join(folder, name)).mode & 0o777 }).toEqual({ name, mode: 0o600 });
    }
  });

  it('changes no file that already exists', async () => {
    await create();
    const before = ALL.map(read);
    expect(await create()).toEqual([]);
    expect(ALL.map(read)).toEqual(before);
  });

  it('creates the files that an interrupted run did not create', async () => {
    await create();
    unlinkSync(join(folder, 'secrets/secrets.env'));
    writeFileSync(join(folder, 'secrets/secrets.env.new'), 'SECRETS_KEYS=');
    expect(await create()).toEqual(['secrets/secrets.env']);
    expect(read('secrets/secrets.env')).toMatch(/^SECRETS_KEYS=first:\S+\n$/);
  });

  it('creates a P-256 key for each signing service, and a certificate authority with a matching certificate', async () => {
    await create();
    const keys = ['admin-auth/signing-key.pem', 'runtime-api/signing-key.pem', 'admin-auth/device-ca.pem'].map((name) =>
      createPrivateKey(read(name)),
    );
    for (const key of keys) expect(key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    const [admin, runtime, authority] = keys;
    expect(admin && runtime && admin.equals(runtime)).toBe(false);
    const certificate = new X509Certificate(read('admin-auth/device-ca-certificate.pem'));
    expect({ ca: certificate.ca, ofKey: authority && certificate.checkPrivateKey(authority) }).toEqual({
      ca: true,
      ofKey: true,
    });
    expect(certificate.validToDate.getTime()).toBeGreaterThan(Date.now() + 3_600 * 86_400_000);
  });

  it('creates a key ring that the services accept, and the same password for the server and its clients', async () => {
    await create();
    const [key] = parseConfig(z.object({ SECRETS_KEYS: secretsConfig.SECRETS_KEYS }), {
      SECRETS_KEYS: valueIn('secrets/secrets.env'),
    }).SECRETS_KEYS;
    expect(key?.id).toBe('first');
    const url = new URL(valueIn('database/database.env'));
    expect([url.username, url.password, url.host]).toEqual(['millwright', read('postgres/password'), 'postgres:5432']);
    expect(url.password).toMatch(/^[0-9a-f]{48}$/);
  });
});
