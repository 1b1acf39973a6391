import type { Gate } from '@millwright/http';
import { OAuthError, oauthFormEndpoint } from '@millwright/http/protocol';
import type { Router } from 'express';
import { parseDeviceAuthorization } from './authorization-request.js';
import { REQUEST_SECONDS, type AuthorizationStore } from './authorizations.store.js';
import { queryOf, requireForm, type AuthenticateClient } from './client-authentication.js';
import type { CountClient } from './client-limits.js';
import { DEVICE_CODE, type Client } from './clients.store.js';

export interface DeviceAuthorizationOptions {
  gate: Gate;
  authenticate: AuthenticateClient;
  authorizations: AuthorizationStore;
  countClient: CountClient;
  runtimeUrl: string;
  /** The address of admin-auth. */
  baseUrl: string;
}

/** Seconds between two polls of a device (RFC 8628 §3.2). */
export const POLL_SECONDS = 5;

/** Whether a client may use device codes: every client from Settings, and other clients that registered for this grant type. */
export const mayUseDevices = ({ kind, grant_types }: Pick<Client, 'kind' | 'grant_types'>): boolean =>
  kind === 'settings' || grant_types.includes(DEVICE_CODE);

/**
 * `POST /oauth/device_authorization` (RFC 8628 §3.1): returns a code to a program without a browser. The program shows the code, and its
 * user enters it at the console.
 */
export function deviceAuthorizationEndpoint(options: DeviceAuthorizationOptions): Router {
  const { gate, authenticate, authorizations, countClient, runtimeUrl, baseUrl } = options;
  return oauthFormEndpoint({
    paths: ['/oauth/device_authorization'],
    cors: true,
    gate,
    answer: async (request, response) => {
      const form = requireForm(request);
      const client = await authenticate(request, form);
      await countClient(client, request, response);
      if (!mayUseDevices(client))
        throw new OAuthError('unauthorized_client', 'the client is not registered for device codes');
      const asked = parseDeviceAuthorization(queryOf(form, client), client, runtimeUrl);
      const { deviceCode, userCode } = await authorizations.beginDevice(asked);
      const verification_uri = `${baseUrl}/admin/device`;
      return {
        body: {
          ...{ device_code: deviceCode, user_code: userCode, verification_uri },
          verification_uri_complete: `${verification_uri}?user_code=${userCode}`,
          ...{ expires_in: REQUEST_SECONDS, interval: POLL_SECONDS },
        },
      };
    },
  });
}
