export {
  createUser,
  issueRegistrationToken,
  issueSetupToken,
  listUsers,
  operatorActor,
  parseEmail,
  promoteUser,
  requireUser,
  type NewUser,
  type SetupToken,
  type UserRecord,
  type UserRow,
} from './accounts.js';
export { deactivateUser } from './deactivate-user.js';
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
} from './api-keys.js';
export {
  issueOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  type IssuedOAuthClient,
  type NewOAuthClient,
  type OAuthClientRecord,
} from './oauth-clients.js';
export {
  ACCOUNT_COLUMNS,
  callerOf,
  rolesOf,
  userOf,
  type AccountRow,
  type Caller,
  type Credential,
  type Plan,
  type Principal,
  type Project,
  type Role,
} from './principal.js';
export { effectiveScopes, isGrantableScope, SCOPES, type Scope } from './scopes.js';
export { hashSecret, newOneTimeToken, newOpaqueSecret, secretMatches, newClientId } from './secrets.js';
export {
  bearer,
  createAuthenticator,
  header,
  type Authenticator,
  type CredentialKind,
  type CredentialReader,
} from './strategies.js';
export {
  createKeyFinder,
  loadSigningKey,
  publishSigningKey,
  readJwks,
  type SigningKey,
  type TokenIssuer,
} from './token-keys.js';
export { createTokenSigner, createTokenVerifier, type NewToken, type TokenClaims } from './tokens.js';
