import { field } from '@millwright/config';
import { z } from 'zod';

/** Settings to spread into an app's config schema. */
export const rateLimitConfig = {
  /** Redis for the counts of all replicas. Without it each process counts alone. */
  REDIS_URL: field.url(['redis:', 'rediss:']).optional(),
  /** Scales every budget; for benchmarks and tests. */
  RATE_LIMIT_MULTIPLIER: field.positiveNumber().default(1),
  /** Handling of requests while Redis does not answer; see `RateLimiterOptions.withoutRedis`. */
  RATE_LIMIT_WITHOUT_REDIS: z.enum(['count', 'refuse']).default('count'),
};
