import { rolesFor, needsFreshProof, type EndpointContract } from '@millwright/http';
import { contracts, scimContracts } from './test-contracts.js';

/** Roles that may call each operation, decided by hand. The test fails for a new operation until it is listed here. */
const DECIDED: Readonly<Record<string, readonly string[]>> = {
  public: [
    'beginSso',
    'createDeviceNonce',
    'endSsoSessions',
    'finishSso',
    'getInstallation',
    'getJwks',
    'mintGatewayToken',
    'redeemDeviceCode',
    'register',
  ],
  provisioning: [
    'createScimGroup',
    'createScimUser',
    'deleteScimGroup',
    'deleteScimUser',
    'getScimGroup',
    'getScimResourceType',
    'getScimSchema',
    'getScimServiceProviderConfig',
    'getScimUser',
    'listScimGroups',
    'listScimResourceTypes',
    'listScimSchemas',
    'listScimUsers',
    'patchScimGroup',
    'patchScimUser',
    'replaceScimGroup',
    'replaceScimUser',
    'searchScim',
    'searchScimGroups',
    'searchScimUsers',
  ],
  session: [
    'confirmSso',
    'decideConsent',
    'finishStepUp',
    'getMe',
    'listPasskeys',
    'listProjects',
    'listSecurityActivity',
    'listSessions',
    'renamePasskey',
    'revokeOtherSessions',
    'revokeSession',
    'startStepUp',
    'updateMe',
  ],
  'session, fresh': ['removePasskey'],
  user: [
    'getAddresses',
    'listClients',
    'listConsents',
    'listDevices',
    'listKeys',
    'listScopes',
    'revokeClient',
    'revokeConsent',
    'revokeDevice',
    'revokeKey',
  ],
  'user, fresh': ['createClient', 'createDeviceCode', 'createKey', 'rotateClient', 'rotateKey', 'updateClient'],
  'admin or auditor': ['getChain', 'getDecision', 'listAuditActions', 'listDecisions', 'verifyChain'],
  'admin or project_admin': [
    'getAreaHealth',
    'getDashboard',
    'getDailyUsage',
    'getDashboardUsage',
    'getToolUsage',
    'getUser',
    'listQuotas',
    'listUserPasskeys',
    'listUserIdentities',
    'listUsers',
    'revokeUserConsent',
  ],
  'admin or project_admin, fresh': ['createUser', 'disableUser', 'enableUser', 'revokeUserCredentials', 'updateUser'],
  admin: ['getSigningKeys', 'listActivity', 'listApplications', 'listJobs', 'runJob', 'withdrawApplicationApproval'],
  'admin, fresh': ['approveApplication', 'createSetupToken', 'deleteUser', 'removeUserPasskey', 'unlinkUserIdentity'],
  platform_admin: ['listPlatformAdminRequests', 'getEnterprise', 'getInternalReport', 'listEnterprises'],
  'platform_admin, fresh': [
    'confirmPlatformAdmin',
    'refusePlatformAdmin',
    'requestPlatformAdmin',
    'changeUserEmail',
    'createProject',
    'deleteProject',
    'renameProject',
    'revokeSigningKey',
  ],
};

const whoReaches = ({ access }: EndpointContract): string => {
  const who =
    rolesFor(access)?.join(' or ') ?? (access === 'fresh' ? 'session' : JSON.stringify(access).replaceAll('"', ''));
  return needsFreshProof(access) ? `${who}, fresh` : who;
};

describe('the operations of admin-auth', () => {
  it('admit exactly the roles in the table', () => {
    const found = Map.groupBy([...contracts, ...scimContracts], whoReaches);
    const stated = Object.fromEntries(
      [...found].map(([who, listed]) => [who, listed.map(({ operationId }) => operationId).sort()]),
    );
    expect(stated).toEqual(Object.fromEntries(Object.entries(DECIDED).map(([who, ids]) => [who, ids.toSorted()])));
  });
});
