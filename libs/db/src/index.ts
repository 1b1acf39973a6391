export { databaseConfig, requireDataTls } from './config.js';
export { addToCount, moveCount, readCount, type Counted, type CountedKind } from './counters.js';
export { createDatabase, type Database, type DatabaseOptions, type PoolState, type Tx } from './database.js';
export { changeInSteps, deleteInSteps, type Step } from './delete-in-steps.js';
export { durationPercentile, type DurationCount } from './duration-percentile.js';
export { conflictWhenTaken, databaseFailure, isUniqueViolation } from './failures.js';
export {
  claimKey,
  findAnswer,
  keyedRequest,
  storeAnswer,
  type Claim,
  type KeyedRequest,
  type StoredAnswer,
} from './idempotency.js';
export { decodeId, encodeId, idFor, newId, type IdPrefix } from './ids.js';
export { jsonColumn } from './json-column.js';
export { limitSession } from './limit-session.js';
export { listenTo, type Listener, type ListenOptions } from './listen.js';
export { lockRecord, type LockedRecord, type Target, type Versioned } from './lock-record.js';
export { migrate, MigrationMismatch, migrationStatus, type MigrationOutcome } from './migrate.js';
export { readMigrations, type Migration } from './migrations.js';
export { createOneAtATime } from './one-at-a-time.js';
export { countExisting, readQuotaDrift, recountQuotas, type QuotaDrift } from './quota-recount.js';
export { QUOTA_KINDS, quotaRefusal, type QuotaKind, type QuotaRefusal } from './quota.js';
export {
  noteQuotaRefusal,
  quotaShare,
  readQuotas,
  removeQuota,
  setQuota,
  type QuotaLimit,
  type QuotaState,
} from './quota-usage.js';
export { applyRoles, asRole, readRoles, type Role } from './roles.js';
export { Prisma } from './generated/client.js';
export {
  createMetricCounts,
  DURATION_BOUNDS_MS,
  forgetOldHours,
  type CountedMetric,
  type MetricCountOptions,
  type MetricCounts,
} from './metric-counts.js';
export { isStorable, storableText } from './storable.js';
