export { callHash, toolHash } from './approval-hash.js';
export { createApprovalStore, type ApprovalStore, type CallApproval, type NewApproval } from './approvals.store.js';
export { inboxAt, runPageAt } from './console-pages.js';
export { decideApproval, type PreparedDecision } from './decide-approval.js';
export { APPROVAL_STATES, createDecisionStore, type DecisionStore, type PendingCall } from './decisions.store.js';
export { hasPendingBelow, idsOfTree, pendingOfTree } from '../run-tree.store.js';
export { requireMayApprove, requirePerson } from './may-approve.js';
