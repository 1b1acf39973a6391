export {
  needsCredential,
  needsFreshProof,
  requireAccess,
  rolesFor,
  scopeOf,
  type Access,
  type SessionPrincipal,
} from '../contract/access.js';
export { createAreaRouter, credentialBelow, renderErrors, serveRoutes } from './area-router.js';
export { auditQuotaRefusal } from './audit-quota-refusal.js';
export {
  changeOf,
  forEachChange,
  isRef,
  makeChange,
  MadeChanges,
  MOST_CHANGES,
  Refs,
  type ChangeStore,
  type ListedChange,
} from './change-list.js';
export {
  endpoint,
  route,
  type EndpointContract,
  type LimitClass,
  type Method,
  type Reply,
  type Restore,
  type Route,
  type StoredReply,
  type Upload,
} from '../contract/contract.js';
export { passingFailure, prefersPage, type ErrorPage } from './error-page.js';
export type { Emit, EventWriter, Feed } from '../contract/event-writer.js';
export {
  createAddressLimit,
  createGate,
  CredentialMissing,
  refusedBudget,
  requireAdmitted,
  type AddressLimit,
  type Budgets,
  type Gate,
  type GateOptions,
} from '../contract/gate.js';
export { callerLimits, messageLimits, planLimits } from './limits.js';
export { openApiDocument, type OpenApiPart } from './openapi.js';
export { hasBody, LARGE_BODY_BYTES } from '../body/read-body.js';
export { createShares, type Shares } from '../capacity/shares.js';
export { preferencesOf, type Preferences } from './preferences.js';
export { guardTree, parseFields, parsePart, singleValues } from '../body/parse.js';
export { reply, requireFound } from './reply.js';
export { whoAmIRoute } from './who-am-i.js';
