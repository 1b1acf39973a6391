import type { EndpointContract } from '@millwright/http';
import { contracts, scimContracts } from './test-contracts.js';

/** Changes that grant something but require no recent passkey proof of the session, each with the reason. */
const NOT_FRESH = [
  'decideConsent', // the endpoint itself requires the proof for rights of admins
  'mintGatewayToken', // proved by a token in the body and the device's signature
  'redeemDeviceCode', // proved by the code in the body
  'register', // the only way for a user without any credential to get a credential
];

/** Changes that grant nothing and need no recent proof: they end the caller's own access, or affect only a list. */
const HARMLESS = [
  'createDeviceNonce',
  'endSsoSessions', // proved by a signed token in the body
  'finishStepUp',
  'renamePasskey',
  'revokeClient',
  'revokeConsent',
  'revokeDevice',
  'revokeKey',
  'revokeOtherSessions',
  'revokeSession',
  'revokeUserConsent',
  'runJob',
  'startStepUp',
  'updateMe',
  'verifyChain',
  'withdrawApplicationApproval',
];

const changes = [...contracts, ...scimContracts].filter(({ method }) => method !== 'GET');
/**
 * Whether an endpoint requires a recent proof. The endpoints of provisioning clients count too: such a client has no session but a token
 * that an operator created.
 */
const isFresh = ({ access }: EndpointContract) =>
  access === 'fresh' ||
  access === 'provisioning' ||
  (typeof access === 'object' && 'role' in access && access.fresh === true);
const idsOf = (listed: readonly EndpointContract[]) => listed.map(({ operationId }) => operationId).sort();

describe('contracts of admin-auth', () => {
  it('declare for each change whether it grants a credential, a right, an account or nothing', () => {
    expect(idsOf(changes.filter(({ grants }) => grants === undefined))).toEqual([]);
  });

  it('require a recent proof for changes that grant a credential, a right or an account, with four exceptions', () => {
    expect(idsOf(changes.filter((contract) => contract.grants !== 'nothing' && !isFresh(contract)))).toEqual(NOT_FRESH);
  });

  it('require a recent proof for every other change, unless it is listed as harmless', () => {
    expect(idsOf(changes.filter((contract) => contract.grants === 'nothing' && !isFresh(contract)))).toEqual(HARMLESS);
  });

  it('are public only for public keys, addresses of the installation, registration, single sign-on and the device bridge', () => {
    expect(idsOf([...contracts, ...scimContracts].filter(({ access }) => access === 'public'))).toEqual([
      'beginSso',
      'createDeviceNonce',
      'endSsoSessions',
      'finishSso',
      'getInstallation',
      'getJwks',
      'mintGatewayToken',
      'redeemDeviceCode',
      'register',
    ]);
  });
});
