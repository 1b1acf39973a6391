export { recordDecision, recordDenial, type Actor, type AuditEntry } from './record.js';
