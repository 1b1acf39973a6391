import { loadConfig } from './config.js';

describe('loadConfig', () => {
  const env = {
    PORT: '4003',
    ADMIN_PORT: '5003',
    DATABASE_URL: 'postgresql://u:p@db/x',
    RUNTIME_URL: 'https://runtime.example.com',
    BASE_URL: 'https://millwright.example.com',
    SIGNING_KEY_FILE: '/keys/runtime.pem',
    FILES_DIR: '/files',
  };
  const secret = { id: 'a', key: Buffer.alloc(32, 7) };
  const secrets = { SECRETS_KEYS: `a:${secret.key.toString('base64')}` };

  it('returns the settings as a frozen object', () => {
    const config = loadConfig({ ...env, ...secrets, UNKNOWN: 'x' });
    expect(config).toMatchObject({ ...env, PORT: 4_003, ADMIN_PORT: 5_003, SECRETS_KEYS: [secret] });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('throws an error that names every invalid variable but contains no value', () => {
    const failure = (() => {
      try {
        return loadConfig({
          DATABASE_URL: 'mysql://hunter2@db',
          RUNTIME_URL: 'https://x.example/hunter2',
          REDIS_URL: 'hunter2',
          SECRETS_KEYS: 'hunter2',
        });
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toMatchObject({ exitCode: 78 });
    for (const name of [
      'PORT',
      'ADMIN_PORT',
      'DATABASE_URL',
      'RUNTIME_URL',
      'SIGNING_KEY_FILE',
      'REDIS_URL',
      'SECRETS_KEYS',
    ])
      expect(String(failure)).toContain(name);
    expect(String(failure)).not.toContain('hunter2');
  });

  it('requires either a folder for files, or a bucket with its access key', () => {
    const without = { ...env, ...secrets, FILES_DIR: undefined };
    expect(() => loadConfig(without)).toThrow(/FILES_DIR/);
    const bucket = { ...without, FILES_S3_BUCKET: 'millwright' };
    expect(() => loadConfig(bucket)).toThrow(/FILES_S3_ACCESS_KEY_ID[^]*FILES_S3_SECRET_ACCESS_KEY/);
    const keys = { FILES_S3_ACCESS_KEY_ID: 'id', FILES_S3_SECRET_ACCESS_KEY: 'secret' };
    expect(loadConfig({ ...bucket, ...keys })).toMatchObject({ ...keys, UPLOAD_MAX_BYTES: 52_428_800 });
  });
});
