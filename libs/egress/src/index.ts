export { createBreaker, createBreakers, type Breaker, type BreakerOptions, type BreakerPass } from './breaker.js';
export { egressConfig, egressOptions, type EgressConfig } from './config.js';
export type { ResolveName, ResolvedAddress } from './dispatchers.js';
export { EgressError, EgressRefused, type EgressFailure } from './egress-error.js';
export {
  createEgress,
  type Egress,
  type EgressFetch,
  type EgressOptions,
  type EgressRequest,
  type TrustedFetch,
  type TrustedOptions,
} from './egress.js';
export { isPublicUrl } from './policy.js';
export { headersOf, type EgressAnswer, type Profile } from './transport.js';
