import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { z } from 'zod';
import { lockSeals } from './lock-seals.js';
import { requireSealBucketKeys, sealBucketConfig, sealBucketOf } from './seal-bucket-config.js';
import { startLockServer, type LockServer } from '@millwright/testing';

let server: LockServer;
beforeEach(async () => (server = await startLockServer()));
afterEach(() => server.close());

const sealsOf = (...numbers: number[]) =>
  numbers.map((number) => ({
    ...{ number, hash: `hash-${number}`, rows: 7 },
    ...{ sealed_at: '2026-01-01T00:00:00.000Z', kid: 'seal-key' },
  }));

/** Deletes a version of an object with every permission that exists. */
async function remove(version: LockServer['versions'][number] | undefined): Promise<string> {
  const { endpoint, region, ...credentials } = server.bucket;
  const client = new S3Client({ ...(endpoint && { endpoint }), region, credentials, forcePathStyle: true });
  const Key = version?.key.replace('/seals/', '') ?? '';
  const target = { Bucket: 'seals', Key, VersionId: version?.id, BypassGovernanceRetention: true };
  try {
    await client.send(new DeleteObjectCommand(target));
    return 'deleted';
  } catch (error) {
    return (error as Error).name;
  } finally {
    client.destroy();
  }
}

describe('lockSeals', () => {
  it('stores the hashes of the seals in an object, which is named after the seals and locked for the configured days', async () => {
    const now = Date.now();
    await lockSeals(server.bucket, sealsOf(21, 22, 23), now);
    expect(server.versions).toMatchObject([
      { key: '/seals/audit-seals/0000000021-0000000023.json', mode: 'COMPLIANCE' },
    ]);
    expect(JSON.parse(server.versions[0]?.body ?? '')).toEqual({ seals: sealsOf(21, 22, 23) });
    const lockedMs = Date.parse(server.versions[0]?.until ?? '') - now;
    expect(Math.round(lockedMs / 86_400_000)).toBe(400);
  });

  it('keeps the first version of the object when the same seals are sent again with other hashes', async () => {
    await lockSeals(server.bucket, sealsOf(1));
    await lockSeals(server.bucket, [{ number: 1, hash: 'forged', rows: 7, sealed_at: '', kid: null }]);
    expect(server.versions.map(({ key }) => key)).toEqual(
      Array(2).fill('/seals/audit-seals/0000000001-0000000001.json'),
    );
    expect(server.versions[0]?.body).toContain('hash-1');
  });

  it('prevents every deletion of the object in the mode COMPLIANCE; in the mode GOVERNANCE, a caller with all rights can delete it', async () => {
    await lockSeals(server.bucket, sealsOf(1));
    await lockSeals({ ...server.bucket, mode: 'GOVERNANCE' }, sealsOf(2));
    const [compliance, governance] = [...server.versions];
    expect([await remove(compliance), await remove(governance)]).toEqual(['AccessDenied', 'deleted']);
    expect(server.versions).toEqual([compliance]);
  });

  it('fails with the message of the server when its bucket has no Object Lock', async () => {
    server.objectLock = 'off';
    await expect(lockSeals(server.bucket, sealsOf(1))).rejects.toThrow('Bucket is missing Object Lock Configuration');
    expect(server.versions).toEqual([]);
  });

  it('fails when the server accepted the object but ignored its lock', async () => {
    server.objectLock = 'ignored';
    await expect(lockSeals(server.bucket, sealsOf(1))).rejects.toThrow(
      'the bucket seals stored audit-seals/0000000001-0000000001.json without the lock: it needs Object Lock',
    );
  });
});

describe('the settings of the bucket for seals', () => {
  const Settings = z.object(sealBucketConfig).superRefine(requireSealBucketKeys);
  const keys = { AUDIT_SEAL_S3_ACCESS_KEY_ID: 'key', AUDIT_SEAL_S3_SECRET_ACCESS_KEY: 'secret' };
  const AUDIT_SEAL_S3_BUCKET = 'seals';

  it('require both access keys when the bucket is set', () => {
    expect(Settings.safeParse({}).success).toBe(true);
    const { error } = Settings.safeParse({ AUDIT_SEAL_S3_BUCKET });
    expect(error?.issues.map(({ path }) => path.join())).toEqual(Object.keys(keys));
  });

  it('lock objects for 400 days in the mode COMPLIANCE by default', () => {
    const { data } = Settings.safeParse({ AUDIT_SEAL_S3_BUCKET, ...keys });
    expect(sealBucketOf(data ?? {})).toMatchObject({ bucket: 'seals', mode: 'COMPLIANCE', days: 400 });
  });

  it.each([
    { AUDIT_SEAL_S3_LOCK_MODE: 'compliance' },
    { AUDIT_SEAL_S3_LOCK_DAYS: '0' },
    { AUDIT_SEAL_S3_ENDPOINT: 'ftp://x' },
  ])('refuse %j', (settings) => {
    expect(Settings.safeParse({ AUDIT_SEAL_S3_BUCKET, ...keys, ...settings }).success).toBe(false);
  });
});
