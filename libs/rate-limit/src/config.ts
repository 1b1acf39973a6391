import { field } from '@millwright/config';
import { z } from 'zod';
import { parseRedisUrl } from './redis-url.js';

function isRedisUrl({ value, issues }: { value: string; issues: z.core.$ZodRawIssue[] }): void {
  try {
    parseRedisUrl(value);
  } catch (error) {
    issues.push({ code: 'custom', input: value, message: (error as Error).message });
  }
}

/** Settings for the config schema of an app that limits rates. */
export const rateLimitConfig = {
  /** Redis, or its Sentinels or Cluster, for the counts of all replicas. Without Redis, each process counts alone. */
  REDIS_URL: z.string().check(isRedisUrl).optional(),
  /** Scales every budget; for benchmarks and tests. */
  RATE_LIMIT_MULTIPLIER: field.positiveNumber().default(1),
  /** What happens to requests while Redis does not answer; see `RateLimiterOptions.withoutRedis`. */
  RATE_LIMIT_WITHOUT_REDIS: z.enum(['count', 'refuse']).default('count'),
};
