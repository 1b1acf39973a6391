export {
  createUser,
  issueRegistrationToken,
  issueSetupToken,
  listUsers,
  operatorActor,
  parseEmail,
  promoteUser,
  renameUser,
  requireUser,
  type NewUser,
  type SetupToken,
  type UserRecord,
  type UserRow,
} from './accounts.js';
export { changeAccount, enableUser, type AccountChanges } from './change-account.js';
export { deactivateUser, disableUser, revokeUser } from './deactivate-user.js';
export {
  issueDeviceCode,
  revokeDevice,
  revokeReplayed,
  useDeviceCode,
  type IssuedDeviceCode,
  type NewDeviceCode,
  type UsedDeviceCode,
} from './device-codes.js';
export {
  createGatewayVerifier,
  GATEWAY_TOKEN_SECONDS,
  mintAreaToken,
  mintGatewayToken,
  type GatewayVerifierOptions,
  type TokenArea,
  type TokenSubject,
} from './gateway-tokens.js';
export { holdAccount, holdActive, type AccountGuard } from './hold-account.js';
export { expireOneTime } from './expire-one-time.js';
export { findPat, issuePat, type FoundPat, type NewPat } from './pats.js';
export { REVOCATIONS } from './revocations.js';
export { revokeCredentials, type RevokedCredentials } from './revoke-credentials.js';
export {
  createApiKeyVerifier,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  ROTATION_OVERLAP_HOURS,
  type ApiKeyRecord,
  type IssuedApiKey,
  type NewApiKey,
  type Rotation,
} from './api-keys.js';
export { requireRights, type Rights, type WantedRights } from './credential-rights.js';
export {
  clientSecretMatches,
  issueOAuthClient,
  listOAuthClients,
  noteClientUse,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
  type ClientSecrets,
  type IssuedOAuthClient,
  type NewOAuthClient,
  type OAuthClientRecord,
} from './oauth-clients.js';
export {
  ACCOUNT_COLUMNS,
  callerOf,
  rolesOf,
  userOf,
  worksInItsProject,
  type AccountRow,
  type Caller,
  type Credential,
  type Plan,
  type Principal,
  type Project,
  type Role,
} from './principal.js';
export { allowsTool, EVERY_TOOL, isToolEntry, MOST_TOOL_ENTRIES, type ToolList } from './tool-lists.js';
export { describeScopes, effectiveScopes, isGrantableScope, SCOPES, type Scope } from './scopes.js';
export { hashSecret, newOneTimeToken, newOpaqueSecret, secretMatches, newClientId } from './secrets.js';
export {
  bearer,
  createAuthenticator,
  header,
  type Authenticator,
  type CredentialKind,
  type CredentialReader,
} from './strategies.js';
export { listSigningKeys, rotateSigningKey, type NewSigningKey, type SigningKeyRecord } from './rotate-signing-key.js';
export { watchSigningKey, type WatchedKey, type WatchOptions } from './watch-signing-key.js';
export {
  createIssuedKeyFinder,
  createKeyFinder,
  loadSigningKey,
  publishSigningKey,
  readIssuedKeys,
  readJwks,
  type SigningKey,
  type TokenIssuer,
} from './token-keys.js';
export { listSessions, revokeSessions, type SessionRecord } from './user-sessions.js';
export { createTokenSigner, createTokenVerifier, type NewToken, type TokenClaims } from './tokens.js';
