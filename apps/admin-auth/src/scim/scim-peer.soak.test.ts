import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole } from '../test-console.js';
import { scimIssuer, scimOnly, scimToken } from './test-scim.js';

const CHECK = fileURLToPath(new URL('../../../../tools/scim-peer/check.py', import.meta.url));

interface Check {
  status: 'SUCCESS' | 'COMPLIANT' | 'ACCEPTABLE' | 'DEVIATION' | 'ERROR' | 'CRITICAL' | 'SKIPPED';
  title: string;
  resource: string | null;
  reason: string;
}

let database: TestDatabase;
let site: TestConsole;
beforeAll(async () => {
  database = await createTestDatabase();
  site = await startConsole(database.url, { multiplier: 1e3, sso: scimOnly([scimIssuer('peer')]) });
  await site.addUser({ email: 'owner@example.com', role: 'admin' });
});
afterAll(async () => {
  await site.close();
  await database.drop();
});

describe('/scim/v2', () => {
  it('passes every check of scim2-tester', async () => {
    const args = [CHECK, `${site.url}/scim/v2`, scimToken('peer')];
    const { stdout } = await promisify(execFile)('python3', args, { maxBuffer: 1e8 });
    const checks = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Check);
    const counts = Object.fromEntries(
      [...Map.groupBy(checks, ({ status }) => status)].map(([status, { length }]) => [status, length]),
    );
    process.stdout.write(`scim2-tester: ${JSON.stringify(counts)}\n`);
    const failed = checks.filter(({ status }) => ['DEVIATION', 'ERROR', 'CRITICAL'].includes(status));
    expect(failed).toEqual([]);
    expect(counts['SUCCESS']).toBeGreaterThan(40);
  });
});
