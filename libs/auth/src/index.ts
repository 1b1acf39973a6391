export { codeChallenge } from './code-challenge.js';
export { accessTokenId, apiKeyIdOf, clientIdOf } from './credential-ids.js';
export {
  createGatewayVerifier,
  GATEWAY_TOKEN_SECONDS,
  mintAreaToken,
  mintGatewayToken,
  type TokenArea,
} from './gateway-tokens.js';
export { REVOCATIONS } from './revocations.js';
export {
  ACCOUNT_COLUMNS,
  ACCOUNT_ROLES,
  accountRole,
  callerOf,
  roleColumns,
  rolesOf,
  rolesWith,
  userOf,
  worksInItsProject,
  type AccountRole,
  type AccountRow,
  type Caller,
  type Plan,
  type Principal,
  type Role,
  type RoleRow,
  type UserSession,
} from './principal.js';
export { type Project } from './projects.js';
export { accessToken, bearer, createAuthenticator, header } from './strategies.js';
export { createTokenSigner, createTokenVerifier, type NewToken, type TokenClaims } from './tokens.js';
export { findPat, type FoundPat } from './pats.js';
export { createApiKeyVerifier } from './verify-api-key.js';
export { clientSecretMatches, noteClientUse, type ClientSecrets } from './client-secrets.js';
export {
  ADMIN_SCOPES,
  describeScopes,
  effectiveScopes,
  isAdminScope,
  isGrantableScope,
  mayGive,
  SCOPES,
  type Scope,
} from './scopes.js';
export {
  hashSecret,
  keyPrefix,
  newClientId,
  newKey,
  isOneTimeToken,
  newOneTimeToken,
  newOpaqueSecret,
  parseKey,
  secretMatches,
  type KeyKind,
} from './secrets.js';
