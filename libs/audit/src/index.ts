export { type AuditFault, type AuditFindings } from './audit-verifier.js';
export { type AuditRow } from './content-hash.js';
export { eraseAuditRows, type ErasedPerson } from './erase-audit-rows.js';
export { exportAuditLog, type ExportOptions } from './export-audit-log.js';
export {
  recordAction,
  recordDecision,
  recordDecisionWith,
  recordDenial,
  recordDenialIn,
  recordSampledDenial,
  recordStrangerDenial,
  type Actor,
  type AuditEntry,
} from './record.js';
export { createPinnedKeyFinder, readPinnedKeys } from './pinned-keys.js';
export { removeOldAuditRows, type AuditRemoval } from './remove-old-audit-rows.js';
export { sealAuditLog, type Sealed } from './seal-audit-log.js';
export { sendSeals, type SealNotice } from './send-seals.js';
export { type FindSealKey, type SealKey } from './seal.js';
export { type PublicSealKey } from './audit-file.js';
export { readPeriodOfRun, readRows, toAuditRow, whereOf, type AuditFilter } from './audit-log.store.js';
export { verifyAuditFile, type FileFindings } from './verify-audit-file.js';
export {
  lastSeal,
  readChain,
  readVerification,
  recordVerification,
  saveVerification,
  startVerification,
  storeVerification,
  verifyAuditLog,
  verifyPart,
  type ChainState,
  type TrustedKeys,
  type VerificationState,
} from './verify-audit-log.js';
export { traceRun, type RunTrace, type TracedRow } from './trace-run.js';
