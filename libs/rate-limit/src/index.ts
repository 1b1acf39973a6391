export { limitHeaders, tightest, type Budget, type Decision, type LimitHeader } from './budget.js';
export { rateLimitConfig } from './config.js';
export { createOwnerCounts } from './owner-counts.js';
export { ipKey } from './ip-key.js';
export {
  createRateLimiter,
  type Counted,
  type LimiterBackend,
  type RateLimiter,
  type RateLimiterOptions,
} from './rate-limiter.js';
