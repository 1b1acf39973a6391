export {
  issueApiKey,
  KEY_LIFE_DAYS,
  expiryIn,
  listApiKeys,
  listUnusedKeys,
  revokeApiKey,
  rotateApiKey,
  type NewApiKey,
} from './api-keys/api-keys.store.js';
export { issueDeviceCode, revokeDevice, revokeReplayed, useDeviceCode } from './device-codes/device-codes.store.js';
export { eraseUser } from './erasure/erase-user.js';
export {
  issueOAuthClient,
  listOAuthClients,
  revokeOAuthClient,
  rotateOAuthClient,
  updateOAuthClient,
  type NewOAuthClient,
} from './oauth-clients/oauth-clients.store.js';
export { approveOAuthClient, withdrawApproval } from './oauth-clients/client-approval.js';
export { queueNotice, type NoticeDetail, type NoticeKind } from './notices/queue-notice.js';
export { listUserPasskeys, removeUserPasskeys, toPasskeyRecord } from './passkeys/user-passkeys.store.js';
export { issuePat } from './pats/pats.store.js';
export { announceRevocation } from './revocation/announce-revocation.js';
export { revokeCredentials } from './revocation/revoke-credentials.js';
export { requireRoomForPasskey } from './rights/credential-limit.js';
export { requireRights, type Rights, type WantedRights } from './rights/credential-rights.js';
export { ROTATION_OVERLAP_HOURS } from './rights/rotation.js';
export { Name as AccountName, parseField } from './fields.js';
export { listUserSessions, revokeUserSessions } from './sessions/user-sessions.store.js';
export { issueRegistrationToken, issueSetupToken, type SetupToken } from './setup-tokens/setup-tokens.store.js';
export { changeAccount, enableUser, renameUser, requireKeptAddress } from './users/change-account.js';
export { deactivateUser, disableUser, revokeUser } from './users/deactivate-user.js';
export { lockAccount, lockActiveAccount, lockActiveAccountAlone, type AccountGuard } from './lock-account.js';
export { type UserRow } from './user-record.js';
export {
  createUser,
  listUsers,
  operatorActor,
  promoteUser,
  requireUserByEmail,
  type NewUser,
} from './users/users.store.js';
