import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from './faults/campaign/verify.js';
import { createBrowser, personAt } from './harness/browser.js';
import { newToken } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';
import { createSeededDatabase } from './harness/seeded-database.js';
import { openSeededRecords } from './harness/seeded-records.js';

/** Scale of the seed, and number of requests of each operation; `npm run seed:reads` sets them. */
const scale = Number(process.env['SEED_SCALE'] ?? 0.02);
const requests = Number(process.env['SEED_REQUESTS'] ?? 1);

type Service = 'admin' | 'platform' | 'runtime' | 'prompt';

interface Operation {
  service: Service;
  id: string;
  path: string;
  isProvisioning: boolean;
}

/** Operations that are not called, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  getMcpRegistry: 'a registry on the internet answers',
  searchMcpRegistry: 'a registry on the internet answers',
  beginSso: 'a step of a sign-in at an issuer',
  finishSso: 'a step of a sign-in at an issuer',
  confirmSso: 'a step of a sign-in at an issuer',
  listServerEntryVersions: 'names a server by the address of the installation',
  getServerEntry: 'names a server by the address of the installation',
};
/** Values of required query parameters. */
const QUERIES: Readonly<Record<string, string>> = {
  listTriggerTimes: '?schedule=0%206%20*%20*%20*&timezone=Europe%2FBrussels',
  listBudgetSubjects: '?level=agent',
  searchContent: '?q=order',
};
/** Request headers that are sent in addition to the credential, by the id of the operation. */
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  'file.get': { accept: 'application/json' }, // a file's record is read instead, because seeded files have no bytes
};

const SCIM_TOKEN = 'token-of-a-provisioning-client-0123456789';

const operations = (['admin', 'platform', 'runtime', 'prompt'] as const).flatMap((service) => {
  const file = new URL(`../docs/openapi/${service}.json`, import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, { get?: { operationId: string; security?: object[] } }>;
  };
  return Object.entries(paths).flatMap(([path, { get }]): Operation[] =>
    get
      ? [
          {
            service,
            id: get.operationId,
            path,
            isProvisioning: (get.security ?? []).some((one) => 'provisioning' in one),
          },
        ]
      : [],
  );
});

let folder: string;
let platform: Platform;
let records: Awaited<ReturnType<typeof openSeededRecords>>;
let headers: Record<Service, Record<string, string>>;
const times = new Map<string, number[]>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-seeded-'));
  const database = await createSeededDatabase(scale);
  records = await openSeededRecords(database.url);
  await records.prepareUser();
  const { email } = records.user;
  const ssoFile = join(folder, 'sso.yaml');
  const hash = createHash('sha256').update(SCIM_TOKEN).digest('hex');
  writeFileSync(
    ssoFile,
    JSON.stringify({
      issuers: [
        {
          ...{
            name: 'login',
            issuer: 'https://login.seed.example',
            client_id: 'millwright',
            domains: ['seed.example'],
          },
          scim: { token_sha256: [hash], owner: email },
        },
      ],
    }),
  );
  platform = await startPlatform({
    database,
    env: { RATE_LIMIT_MULTIPLIER: '100000', SSO_FILE: ssoFile, DATABASE_POOL_MAX: '10' },
  });
  const own = ['--user', email, '--name', 'reads'];
  const { key = '' } = await platform.operator(
    'keys',
    'create',
    ...own,
    '--plan',
    'professional',
    '--scopes',
    '*,keys:read',
  );
  const client = await platform.operator('clients', 'create', ...own);
  const bearer = { authorization: `Bearer ${await newToken(platform, client)}` };
  const person = personAt(createBrowser([platform.baseUrl], platform.baseUrl), platform.baseUrl);
  const { token } = await platform.operator('setup-token', 'create', '--email', email);
  await person.enrol(token);
  await person.signIn();
  await person.stepUp();
  headers = {
    admin: person.browser.headers(),
    platform: { authorization: `Bearer ${key}` },
    runtime: bearer,
    prompt: { 'api-key': key },
  };
}, 3_600_000);
afterAll(async () => {
  printTimes();
  await records.close();
  await platform.stop();
  rmSync(folder, { recursive: true });
});

const baseOf = (service: Service) =>
  service === 'runtime' ? platform.runtimeUrl : service === 'prompt' ? platform.promptUrl : platform.baseUrl;

/** Prints the times of each operation, the slowest first. Prints nothing when each operation had a single request. */
function printTimes(): void {
  if (requests === 1) return;
  const at = (all: readonly number[], share: number) => percentile(all, share).toFixed(1).padStart(9);
  const rows = [...times].sort(([, a], [, b]) => percentile(b, 0.5) - percentile(a, 0.5));
  process.stdout.write(`${'ms'.padEnd(66)}      p50      p99\n`);
  for (const [name, all] of rows) process.stdout.write(`${name.padEnd(66)}${at(all, 0.5)}${at(all, 0.99)}\n`);
}

describe('a seeded installation', () => {
  it('has every operation that this test leaves out or calls with its own parameters', () => {
    const known = new Set(operations.map(({ id }) => id));
    expect([LEFT_OUT, QUERIES, HEADERS].flatMap(Object.keys).filter((id) => !known.has(id))).toEqual([]);
  });

  it.each(operations.filter(({ id }) => !(id in LEFT_OUT)).map((one) => [`${one.service} ${one.path}`, one] as const))(
    'answers 200 to GET %s',
    async (name, { service, id, path, isProvisioning }) => {
      const url = `${baseOf(service)}${await records.fill(service, path)}${QUERIES[id] ?? ''}`;
      const credential = isProvisioning ? { authorization: `Bearer ${SCIM_TOKEN}` } : headers[service];
      const all: number[] = [];
      for (let n = 0; n < requests; n += 1) {
        const began = performance.now();
        const response = await fetch(url, { headers: { ...credential, ...HEADERS[id] } });
        const text = await response.text();
        all.push(performance.now() - began);
        const seen = { status: response.status, ...(response.status !== 200 && { text: text.slice(0, 500) }) };
        expect(seen).toEqual({ status: 200 });
      }
      times.set(name, all);
    },
    600_000,
  );
});
