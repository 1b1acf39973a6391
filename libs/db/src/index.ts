export { ADVISORY_LOCKS } from './advisory-locks.js';
export { databaseConfig, directUrl, isPooled, requireDataTls } from './config.js';
export { addToCount, moveCount, readCount, type CountedKind } from './counters.js';
export { createDatabase, type Database, type Tx } from './database.js';
export { changeInSteps, deleteInSteps, type Step } from './delete-in-steps.js';
export { inParts } from './in-parts.js';
export { durationPercentile } from './duration-percentile.js';
export { conflictWhenTaken, databaseFailure, isDatabaseFailure, isUniqueViolation } from './failures.js';
export {
  claimKey,
  claimOnce,
  findAnswer,
  keyedRequest,
  storeAnswer,
  type KeyedRequest,
  type SingleClaim,
  type StoredAnswer,
} from './idempotency.js';
export { decodeAnyId, decodeId, encodeId, FIRST_ID, idFor, isUuid, LAST_ID, newId, type IdPrefix } from './ids.js';
export { jsonColumn } from './json-column.js';
export { deletedConversations, forgetConversations, hideConversations } from './deleted-conversations.js';
export { isPresent, lockRecord, type LockedRecord, type Target, type Versioned } from './lock-record.js';
export { createOneAtATime } from './one-at-a-time.js';
export { createDirectPool } from './direct-pool.js';
export { changeOwner, runOwnedBy } from './owner.js';
export { applyRoles, asRole, readRoles } from './roles.js';
export { Prisma } from './generated/client.js';
export { createMetricCounts, forgetOldHours, type MetricCounts } from './metric-counts.js';
export { isStorable, storableText } from './storable.js';
