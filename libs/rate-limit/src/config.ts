import { field } from '@millwright/config';

/** To spread into an app's config schema. */
export const rateLimitConfig = {
  /** Without it each process counts for itself. */
  REDIS_URL: field.url(['redis:', 'rediss:']).optional(),
  /** Scales every budget; for benchmarks and tests. */
  RATE_LIMIT_MULTIPLIER: field.positiveNumber().default(1),
};
