import { z } from 'zod';
import * as field from './fields.js';
import { ConfigError, parseConfig } from './parse-config.js';

const schema = z.object({
  PORT: field.port(),
  BASE_URL: field.baseUrl(),
  MULTIPLIER: field.positiveNumber().default(1),
  OPEN: field.flag().default(true),
  LEVEL: field.logLevel().default('info'),
  HOSTS: field.list(z.string().refine((text) => !text.includes('!'), 'must be host names')).default([]),
  NOTE: z.string().optional(),
});
const good = { PORT: '8080', BASE_URL: 'https://example.com' };

function faultsOf(env: Record<string, string | undefined>) {
  try {
    parseConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}

describe('parseConfig', () => {
  it('returns a frozen object with typed values and defaults', () => {
    const config = parseConfig(schema, { ...good, OPEN: '0', HOSTS: ' a, b ,,c', UNKNOWN: 'ignored' });
    expect(config).toEqual({
      PORT: 8080,
      BASE_URL: 'https://example.com',
      MULTIPLIER: 1,
      OPEN: false,
      LEVEL: 'info',
      HOSTS: ['a', 'b', 'c'],
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('treats an empty variable as unset', () => {
    expect(parseConfig(schema, { ...good, MULTIPLIER: '', NOTE: '' })).toMatchObject({ MULTIPLIER: 1 });
    expect(faultsOf({ ...good, PORT: '' })).toEqual([{ variable: 'PORT', reason: 'is required' }]);
  });

  it('throws one error with all faults, which contains no values of variables', () => {
    const env = {
      PORT: '70000',
      BASE_URL: 'ftp://s3cret',
      MULTIPLIER: '-1',
      OPEN: 's3cret',
      LEVEL: 's3cret',
      HOSTS: 'a,s3cret!',
    };
    const faults = faultsOf(env);
    expect(faults.map(({ variable }) => variable).sort()).toEqual(Object.keys(env).sort());
    expect(JSON.stringify(faults)).not.toContain('s3cret');
  });

  it('throws an error with exit code 78', () => {
    expect(new ConfigError([{ variable: 'PORT', reason: 'is required' }])).toMatchObject({
      exitCode: 78,
      message: 'The configuration is not valid:\n  PORT: is required',
    });
  });
});

describe('addressPrefix', () => {
  const prefixed = z.object({ AT: field.addressPrefix() });

  it.each([
    ['https://example.com/', 'https://example.com'],
    ['https://example.com/mcp/registry//', 'https://example.com/mcp/registry'],
  ])('accepts %s as %s', (text, expected) => {
    expect(parseConfig(prefixed, { AT: text }).AT).toBe(expected);
  });

  it.each([
    'example.com',
    'ftp://example.com',
    'https://a:b@example.com/x',
    'https://example.com/?',
    'https://example.com/x#y',
  ])('refuses %s', (text) => {
    expect(() => parseConfig(prefixed, { AT: text })).toThrow('must be an address such as');
  });
});

describe('baseUrl', () => {
  it.each(['https://example.com/', 'https://example.com', 'http://localhost:8080'])(
    'accepts %s, without a trailing slash',
    (text) => {
      expect(parseConfig(schema, { ...good, BASE_URL: text }).BASE_URL).toBe(text.replace(/\/$/, ''));
    },
  );

  it.each([
    'example.com',
    'https://example.com/path',
    'https://example.com?x',
    'https://user@example.com',
    'javascript:alert(1)',
    '//example.com',
  ])('refuses %s', (text) => expect(faultsOf({ ...good, BASE_URL: text })).toHaveLength(1));
});

describe('integer', () => {
  it.each(['1.5', '-1', '1e3', ' 1', '0x10', 'abc'])('refuses %s', (text) => {
    expect(faultsOf({ ...good, PORT: text })).toHaveLength(1);
  });
});
