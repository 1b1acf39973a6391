export { createAskFilter, type AskFilter, type AskFilterDeps } from './ask-filter.js';
export {
  effectiveFilters,
  FILTER_SETTINGS,
  MOST_FILTERS,
  ON_FAILURE,
  type Filter,
  type FilterPin,
  type OnFailure,
} from './filter.js';
export { GUARD_POINTS, type GuardPoint } from './guard-points.js';
export {
  effectivePolicy,
  GUARD_ACTIONS,
  GuardRules,
  GUARDS,
  isStricter,
  looserThan,
  type BuiltInGuard,
  type GuardAction,
  type GuardPolicy,
} from './guard.js';
export { GuardBlocked } from './guard-blocked.js';
export {
  createGuards,
  requireAllowed,
  type Guarded,
  type GuardedStream,
  type Guards,
  type ReportFindings,
} from './guards.js';
export { listGuardPolicies, selectBuiltInPolicies, selectPolicies, selectPoliciesWith } from './policies.store.js';
export { recordFindings, recordInputFindings, type GuardedPlace } from './record-findings.js';
export type { Finding } from './redactor.js';
