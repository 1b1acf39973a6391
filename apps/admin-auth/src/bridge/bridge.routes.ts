import { issueDeviceCode, revokeDevice } from '@millwright/accounts';
import { refuseOtherProject } from '@millwright/accounts/projects';
import { GATEWAY_TOKEN_SECONDS, mintGatewayToken, type NewToken } from '@millwright/auth';
import { decodeId, encodeId } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { route, type Route } from '@millwright/http';
import { ipKey, type RateLimiter } from '@millwright/rate-limit';
import * as contract from './bridge.contract.js';
import type { BridgeStore, DevicePat } from './bridge.store.js';
import { isSignedBy, parseDeviceKey } from './device-key.js';
import { countSignIn } from '../protection/count-sign-in.js';

export interface BridgeOptions {
  baseUrl: string;
  bridge: BridgeStore;
  limiter: RateLimiter;
  sign: (token: NewToken) => string;
}

interface From {
  requestId: string;
  ip: string;
}

/** Limit of code redemptions per IP address and minute. Codes have 256 bits; the limit only bounds the cost of refusing guesses. */
const TRIES = { name: 'device-code', limit: 10 };

/** @throws AppError unauthorized when nothing is found */
async function orUnauthorized<Found>(found: Promise<Found | undefined>): Promise<Found> {
  const value = await found;
  if (value === undefined) throw new AppError('unauthorized');
  return value;
}

/** Makes the endpoints of `/bridge-auth/{session,nonce,token}` and the endpoints of a user's own devices. */
export function bridgeRoutes({ baseUrl, bridge, limiter, sign }: BridgeOptions): Route[] {
  /** @throws AppError rate_limited when the IP address has sent too many codes in this minute */
  async function countTry(ip: string): Promise<void> {
    const { admitted, resetAt } = await limiter.consume(TRIES, ipKey(ip));
    if (!admitted)
      throw new AppError('rate_limited', { retryAfter: Math.max(1, resetAt - Math.floor(Date.now() / 1_000)) });
  }

  /** @throws AppError unauthorized when the text is not a token of a live device */
  async function requirePat(text: string, from: From): Promise<DevicePat> {
    const pat = await bridge.findPat(text, from);
    if (!pat) throw new AppError('unauthorized');
    return pat;
  }

  return [
    route(contract.redeemCode, async ({ body, from }) => {
      await countTry(from.ip);
      const publicKey = parseDeviceKey(body.public_key);
      const { code, code_verifier: verifier, device_name: deviceName } = body;
      const redeemed = bridge.redeem({ code, verifier, deviceName, publicKey }, from);
      return { body: await countSignIn('device_code', orUnauthorized(redeemed)) };
    }),

    route(contract.createNonce, async ({ body, from }) => {
      const { device_id } = await requirePat(body.pat, from);
      return { body: await bridge.newNonce(device_id) };
    }),

    route(contract.mintToken, async ({ body, from }) => {
      const pat = await requirePat(body.pat, from);
      const isOurs = await bridge.useNonce(pat.device_id, body.nonce);
      if (!isOurs || !isSignedBy(pat.public_key, body.nonce, body.signature)) {
        await bridge.recordRefusal(pat, from, isOurs ? 'not signed by the device' : 'nonce not live');
        throw new AppError('unauthorized');
      }
      await bridge.recordMint(pat, from);
      const sid = encodeId('dev', pat.device_id);
      const subject = { issuer: baseUrl, userId: pat.user_id, sid, project: pat.project };
      const access_token = mintGatewayToken(sign, subject);
      return { body: { access_token, token_type: 'Bearer', expires_in: GATEWAY_TOKEN_SECONDS } };
    }),

    route(contract.listDevices, async ({ principal }) => ({
      body: { items: await bridge.list(principal.user.id) },
    })),

    route(contract.revokeDevice, ({ principal, caller, params, commit }) =>
      commit(async (tx) => {
        const id = decodeId('dev', params.device_id);
        if (!id || !(await revokeDevice(tx, principal.user.id, id, caller.actor, 'revoked by its user')))
          throw new AppError('not_found');
        return {};
      }),
    ),

    route(contract.createDeviceCode, ({ principal: { user, roles, project }, caller: { actor }, body, commit }) => {
      const isAdmin = roles.includes('admin');
      if (body.project && !isAdmin && body.project !== project) refuseOtherProject(body.project);
      const owner = { id: user.id, role: isAdmin ? 'admin' : 'user', project };
      const { device_name: deviceName, project: chosen } = body;
      return commit(async (tx) => ({
        body: await issueDeviceCode(tx, { user: owner, project: chosen, deviceName }, actor),
      }));
    }),
  ];
}
