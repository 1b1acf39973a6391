import { recordDecision, recordStrangerDenial, type Actor } from '@millwright/audit';
import {
  lockActiveAccount,
  issuePat,
  queueNotice,
  revokeCredentials,
  revokeReplayed,
  useDeviceCode,
} from '@millwright/accounts';
import { findPat, hashSecret, newOpaqueSecret, type FoundPat } from '@millwright/auth';
import { encodeId, newId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { toDevice } from '../users/users.store.js';
import type { DeviceCa } from './device-ca.js';

type From = Pick<Actor, 'requestId' | 'ip'>;

export interface Redemption {
  code: string;
  verifier: string | undefined;
  deviceName: string;
  publicKey: Uint8Array<ArrayBuffer>;
}

export interface BridgeCredential {
  pat: string;
  device_certificate: string;
  expires_at: string;
}

/** A personal access token of a live device. */
export type DevicePat = FoundPat & { device_id: string; public_key: Buffer };

const NONCE_MS = 60_000;
const actorOf = (pat: FoundPat, from: From): Actor => ({
  userId: pat.user_id,
  kind: 'user',
  label: pat.user_name,
  ...from,
});

export function createBridgeStore(db: Database, ca: DeviceCa) {
  return {
    /** Redeems a code for a token and a certificate. Returns `undefined` for an invalid code. */
    redeem: (
      { code, verifier, deviceName, publicKey }: Redemption,
      from: From,
    ): Promise<BridgeCredential | undefined> =>
      db.transaction(async (tx) => {
        const used = await useDeviceCode(tx, code, verifier);
        if (!used) {
          await revokeReplayed(tx, code, verifier, from);
          return undefined;
        }
        const { user, project, codeId } = used;
        const name = used.deviceName ?? deviceName;
        const id = newId();
        const certificate = await ca.issue(encodeId('dev', id), publicKey);
        const actor: Actor = { userId: user.id, kind: 'user', label: user.name, ...from };
        const { expiresAt } = certificate;
        const pat = await issuePat(tx, { userId: user.id, name, project, expiresAt }, actor);
        await tx.device.create({
          data: {
            ...{ id, user_id: user.id, key_id: pat.id, name, public_key: publicKey, expires_at: expiresAt },
            ...{ certificate: certificate.pem, serial: certificate.serial },
          },
        });
        await tx.deviceLinkCode.update({ where: { id: codeId }, data: { device_id: id } });
        const detail = { device_name: name, serial: certificate.serial };
        await recordDecision(tx, { actor, action: 'device.create', resource: encodeId('dev', id), project, detail });
        await queueNotice(tx, user, 'device_linked', actor);
        return { pat: pat.text, device_certificate: certificate.pem, expires_at: expiresAt.toISOString() };
      }),

    /** Finds a token that may obtain gateway tokens. For a disabled account, revokes all remaining credentials. */
    async findPat(text: string, from: From): Promise<DevicePat | undefined> {
      const pat = await findPat(db, text, from);
      if (!pat) return undefined;
      const { device_id, public_key } = pat;
      const isUsable = pat.live && pat.user_status === 'active' && device_id !== null && public_key !== null;
      if (isUsable) return { ...pat, device_id, public_key };
      const actor = actorOf(pat, from);
      if (pat.user_status !== 'active') {
        await db.transaction(async (tx) => {
          const detail = await revokeCredentials(tx, pat.user_id, 'sign-in refused');
          const resource = encodeId('usr', pat.user_id);
          await recordDecision(tx, { actor, action: 'user.revoke_credentials', resource, detail });
        });
      }
      const reason = pat.user_status === 'active' ? 'token or device not live' : 'account disabled';
      await recordStrangerDenial(
        db,
        { actor, action: 'gateway_token.issue', resource: encodeId('key', pat.id) },
        reason,
      );
      return undefined;
    },

    /** Creates a nonce for the device to sign. */
    async newNonce(deviceId: string): Promise<{ nonce: string; expires_at: string }> {
      const nonce = newOpaqueSecret('mw_nonce_');
      const expires_at = new Date(Date.now() + NONCE_MS);
      const nonce_hash = new Uint8Array(hashSecret(nonce));
      await db.prisma.deviceNonce.create({ data: { nonce_hash, device_id: deviceId, expires_at } });
      return { nonce, expires_at: expires_at.toISOString() };
    },

    async useNonce(deviceId: string, nonce: string): Promise<boolean> {
      const used = await db.prisma.$executeRaw`
        UPDATE device_nonces SET used_at = now()
         WHERE nonce_hash = ${hashSecret(nonce)} AND device_id = ${deviceId}::uuid AND used_at IS NULL AND expires_at > now()`;
      return used === 1;
    },

    /**
     * Records a gateway token before it is issued. @throws AppError unauthorized when the account was disabled or the device
     * revoked meanwhile.
     */
    recordMint: (pat: DevicePat, from: From): Promise<void> =>
      db.transaction(async (tx) => {
        const now = new Date();
        const isActive = await lockActiveAccount(tx, pat.user_id);
        const { count } = await tx.device.updateMany({
          where: { id: pat.device_id, revoked_at: null },
          data: { last_used_at: now },
        });
        if (!isActive || count === 0) throw new AppError('unauthorized');
        await tx.userApiKey.update({ where: { id: pat.id }, data: { last_used_at: now } });
        const resource = encodeId('dev', pat.device_id);
        await recordDecision(tx, { actor: actorOf(pat, from), action: 'gateway_token.issue', resource });
      }),

    /**
     * Records a refused attempt with a device's token as an attempt by a stranger, because the sender of the token may lack the device's
     * key.
     */
    async recordRefusal(pat: DevicePat, from: From, reason: string): Promise<void> {
      const resource = encodeId('dev', pat.device_id);
      await recordStrangerDenial(db, { actor: actorOf(pat, from), action: 'gateway_token.issue', resource }, reason);
    },

    /** Lists a user's devices, newest first. */
    async list(userId: string) {
      const rows = await db.prisma.device.findMany({
        where: { user_id: userId },
        orderBy: { id: 'desc' },
        take: 100,
        include: { key: true },
      });
      return rows.map(toDevice);
    },
  };
}
export type BridgeStore = ReturnType<typeof createBridgeStore>;
