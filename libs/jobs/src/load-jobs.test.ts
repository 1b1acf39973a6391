import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUser } from '@millwright/accounts';
import { ConfigError } from '@millwright/config';
import { createDatabase, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { loadJobs } from './index.js';

let database: TestDatabase;
let db: Database;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  folder = mkdtempSync(join(tmpdir(), 'jobs-'));
  for (const [name, role] of [
    ['ann', 'admin'],
    ['bob', 'user'],
    ['off', 'admin'],
  ] as const) {
    const user = { email: `${name}@example.com`, name, role, platformAdmin: false, project: 'Core' } as const;
    await db.transaction((tx) => createUser(tx, user));
  }
  await db.prisma.user.update({ where: { email: 'off@example.com' }, data: { status: 'inactive' } });
});
afterAll(async () => {
  await db.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function load(text: string, defaultOwner?: string) {
  const file = join(folder, 'jobs.yaml');
  writeFileSync(file, text);
  return loadJobs(db, { file, defaultOwner, handlers: ['sweep', 'seal'] });
}
async function faultsOf(loading: Promise<unknown>) {
  const error: unknown = await loading.catch((failure: unknown) => failure);
  if (!(error instanceof ConfigError)) throw new Error('no fault', { cause: error });
  expect(error.exitCode).toBe(78);
  return error.faults.map(({ variable, reason }) => `${variable}: ${reason}`);
}

describe('loadJobs', () => {
  it('loads each job with the owner that the file names, or else with the default owner', async () => {
    const ann = await db.prisma.user.findUniqueOrThrow({ where: { email: 'ann@example.com' } });
    const owner = { id: ann.id, email: ann.email };
    const jobs = await load(
      `jobs:
  - { name: nightly, extension: sweep, owner: ANN@example.com, schedule: "0 3 * * *" }
  - { name: seal, extension: seal, schedule: "*/5 * * * *", enabled: false }`,
      'ann@example.com',
    );
    expect(jobs).toEqual([
      { name: 'nightly', extension: 'sweep', owner, schedule: '0 3 * * *', enabled: true },
      { name: 'seal', extension: 'seal', owner, schedule: '*/5 * * * *', enabled: false },
    ]);
  });

  it('throws one error that lists all faults of the file and of the owners', async () => {
    const text = `jobs:
  - { name: a, extension: sweep, owner: nobody@example.com, schedule: "0 3 * * *" }
  - { name: b, extension: sweep, owner: off@example.com, schedule: "0 3 * * *" }
  - { name: c, extension: sweep, owner: bob@example.com, schedule: "0 3 * * *" }
  - { name: d, extension: polish, owner: ann@example.com, schedule: "0 3 * * *" }
  - { name: e, extension: sweep, owner: ann@example.com, schedule: "0 25 * * *", retries: 3 }
  - { name: F!, extension: 7, owner: "", schedule: [], enabled: perhaps }
  - { name: g, extension: sweep, schedule: "0 3 * * *" }
  - sweep
  - { name: a, extension: sweep, owner: ann@example.com, schedule: "0 3 * * *" }`;
    expect(await faultsOf(load(text))).toEqual([
      'JOBS_FILE: jobs[3].extension polish is not one of sweep, seal',
      'JOBS_FILE: jobs[4].schedule must be a cron expression of five fields',
      'JOBS_FILE: jobs[4] has unknown keys: retries',
      'JOBS_FILE: jobs[5].name must be a name of a-z, 0-9 and -',
      'JOBS_FILE: jobs[5].extension must be the name of an extension',
      'JOBS_FILE: jobs[5].owner must be an email address',
      'JOBS_FILE: jobs[5].schedule must be a cron expression of five fields',
      'JOBS_FILE: jobs[5].enabled must be true or false',
      'JOBS_FILE: jobs[6].owner is required where JOBS_OWNER is not set',
      'JOBS_FILE: jobs[7] must be a job',
      'JOBS_FILE: the name a is used twice',
      'JOBS_FILE: the owner nobody@example.com of a does not exist',
      'JOBS_FILE: the owner off@example.com of b is not active',
      'JOBS_FILE: the owner bob@example.com of c is not an admin',
    ]);
  });

  it.each([
    ['', 'must have a list of jobs'],
    ['jobs: nightly', 'jobs must be a list of jobs'],
    ['jobs:\n  - [', 'is not valid YAML (line 2)'],
  ])('throws an error with the reason why %j is not a list of jobs', async (text, reason) => {
    expect(await faultsOf(load(text))).toEqual([`JOBS_FILE: ${reason}`]);
  });

  it('throws when the file cannot be read', async () => {
    const loading = loadJobs(db, { file: join(folder, 'none.yaml'), defaultOwner: undefined, handlers: [] });
    expect(await faultsOf(loading)).toEqual(['JOBS_FILE: names a file that cannot be read']);
  });
});
