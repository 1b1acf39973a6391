import { parseConfig } from '@millwright/config';
import { z } from 'zod';
import { rateLimitConfig } from './config.js';

const schema = z.object(rateLimitConfig);

describe('rateLimitConfig', () => {
  it('has no Redis and a multiplier of 1 by default', () => {
    expect(parseConfig(schema, {})).toEqual({ RATE_LIMIT_MULTIPLIER: 1, RATE_LIMIT_WITHOUT_REDIS: 'count' });
  });

  it.each(['redis://cache', 'rediss://cache:6380/1', 'redis+sentinel://a,b?master=main', 'rediss+cluster://a,b'])(
    'accepts %s',
    (url) => {
      expect(parseConfig(schema, { REDIS_URL: url }).REDIS_URL).toBe(url);
    },
  );

  it.each([
    { REDIS_URL: 'http://cache:6379' },
    { REDIS_URL: 'cache:6379' },
    { REDIS_URL: 'redis+sentinel://a,b' },
    { RATE_LIMIT_MULTIPLIER: '0' },
    { RATE_LIMIT_WITHOUT_REDIS: 'admit' },
  ])('refuses %p', (env) => {
    expect(() => parseConfig(schema, env)).toThrow(Object.keys(env)[0]);
  });
});
