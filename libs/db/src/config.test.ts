import { ConfigError, parseConfig } from '@millwright/config';
import { z } from 'zod';
import { databaseConfig, requireDataTls } from './config.js';

const Config = z.object({ ...databaseConfig, REDIS_URL: z.string().optional() }).superRefine(requireDataTls);
const plain = { DATABASE_URL: 'postgresql://u:p@db/x', REDIS_URL: 'redis://cache' };
const faultsOf = (env: Record<string, string>) => {
  try {
    parseConfig(Config, env);
    return [];
  } catch (error) {
    return (error as ConfigError).faults.map(({ variable }) => variable);
  }
};

describe('DATA_TLS', () => {
  it('accepts addresses without TLS when the variable is not set', () => {
    expect(faultsOf(plain)).toEqual([]);
  });

  it.each([
    ['without TLS', plain, ['DATABASE_URL', 'REDIS_URL']],
    ['whose TLS verifies no server', { DATABASE_URL: 'postgresql://db/x?sslmode=require' }, ['DATABASE_URL']],
    ['of Redis without TLS', { ...plain, DATABASE_URL: 'postgresql://db/x?sslmode=verify-full' }, ['REDIS_URL']],
    [
      'of PostgreSQL itself, beside a pooler, without TLS',
      { DATABASE_URL: 'postgresql://db/x?sslmode=verify-full', DATABASE_DIRECT_URL: 'postgresql://db/x' },
      ['DATABASE_DIRECT_URL'],
    ],
    [
      'of a replica without TLS',
      { DATABASE_URL: 'postgresql://db/x?sslmode=verify-full', DATABASE_REPLICA_URL: 'postgresql://db/x' },
      ['DATABASE_REPLICA_URL'],
    ],
    [
      'of Sentinels without TLS',
      { DATABASE_URL: 'postgresql://db/x?sslmode=verify-full', REDIS_URL: 'redis+sentinel://a,b?master=m' },
      ['REDIS_URL'],
    ],
    ['with TLS', { DATABASE_URL: 'postgresql://db/x?sslmode=verify-full', REDIS_URL: 'rediss+cluster://a,b' }, []],
  ])(
    'reports exactly the addresses without verified TLS when the variable is `required`: addresses %s',
    (_what, env, faults) => {
      expect(faultsOf({ ...env, DATA_TLS: 'required' })).toEqual(faults);
    },
  );
});
