import { QUOTA_KINDS, readQuotas, setQuota } from '@millwright/db/quotas';
import { createTestDatabase, type HttpClient, type TestDatabase } from '@millwright/testing';
import { Registry } from 'prom-client';
import { startConsole, type TestConsole } from '../test-console.js';
import { applyQuotas } from './apply-quotas.js';
import { quotasConfig, type QuotasConfig } from './quotas-config.js';
import { watchQuotas } from './watch-quotas.js';

let database: TestDatabase;
let site: TestConsole;
let root: HttpClient;
let core: HttpClient;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url);
  const as = async (email: string, over: object) =>
    (await site.signIn(await site.addUser({ email, name: email, role: 'admin', ...over }))).client;
  root = await as('root@example.com', { platformAdmin: true });
  core = await as('core@example.com', {});
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

const path = '/admin/api/quotas';
/** Sets the usage of a project directly, without the triggers that count it. */
const use = (project: string, rows: number, bytes: number) =>
  site.db.prisma.$executeRaw`
    INSERT INTO quota_usage AS u (project, kind, slot, rows, bytes) VALUES (${project}, 'files', 0, ${rows}, ${bytes})
    ON CONFLICT (project, kind, slot) DO UPDATE SET rows = excluded.rows, bytes = excluded.bytes`;
const items = async (client: HttpClient, query = '') =>
  ((await client('GET', path + query)).body as { items: { project: string; kind: string; share: number }[] }).items;

describe('GET /admin/api/quotas', () => {
  it('shows for each kind of record the usage, the limit and the used share, of rows or of bytes, whichever is larger', async () => {
    await site.db.transaction((tx) => setQuota(tx, 'files', { rows: 10, bytes: 1_000 }, 'Core'));
    await use('Core', 3, 900);
    const shown = await items(core);
    expect(shown.map(({ kind }) => kind).sort()).toEqual([...QUOTA_KINDS].sort());
    expect(shown.find(({ kind }) => kind === 'files')).toEqual({
      project: 'Core',
      kind: 'files',
      used: { rows: 3, bytes: 900 },
      limit: { rows: 10, bytes: 1_000 },
      share: 0.9,
      own: true,
      refused_at: null,
    });
  });

  it('shows an admin their own project and a platform admin all projects, and refuses another project to an admin', async () => {
    const projects = async (client: HttpClient, query?: string) =>
      new Set((await items(client, query)).map(({ project }) => project));
    expect(await projects(core)).toEqual(new Set(['Core']));
    expect(await projects(root)).toEqual(new Set(['Core', 'Commerce']));
    expect(await projects(root, '?project=Commerce')).toEqual(new Set(['Commerce']));
    expect((await core('GET', `${path}?project=Commerce`)).status).toBe(403);
  });
});

it('the settings of quotas apply to every project without its own limit', async () => {
  const config = Object.fromEntries(Object.keys(quotasConfig).map((name, n) => [name, n + 1])) as QuotasConfig;
  await applyQuotas(site.db, config);
  const [files] = (await readQuotas(site.db, ['Commerce'])).filter(({ kind }) => kind === 'files');
  expect(files).toMatchObject({
    own: false,
    limit: { rows: config.QUOTA_FILES_ROWS, bytes: config.QUOTA_FILES_BYTES },
  });
  const [own] = (await readQuotas(site.db, ['Core'])).filter(({ kind }) => kind === 'files');
  expect(own).toMatchObject({ own: true, limit: { rows: 10, bytes: 1_000 } });
});

it('a quota is logged once when its usage exceeds 80 %, and again only after the usage was lower', async () => {
  const logged: unknown[] = [];
  const registry = new Registry();
  const logger = { warn: (entry: unknown) => void logged.push(entry) };
  await use('Core', 1, 1);
  const watch = watchQuotas({ db: site.db, logger: logger as never, metrics: { registry } });
  try {
    const pass = async (bytes: number) => {
      await use('Core', 1, bytes);
      await watch.check();
    };
    await pass(799);
    expect(logged).toEqual([]);
    await pass(800);
    await pass(900);
    expect(logged).toMatchObject([{ event: 'quota.nearly_used', project: 'Core', kind: 'files' }]);
    await pass(100);
    await pass(1_000);
    expect(logged).toHaveLength(2);
    expect(await registry.metrics()).toContain('quota_used_ratio{project="Core",kind="files"} 1');
  } finally {
    watch.stop();
  }
});
