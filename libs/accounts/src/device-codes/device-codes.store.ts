import { recordDecision, type Actor } from '@millwright/audit';
import { codeChallenge, hashSecret, newOneTimeToken, type Project } from '@millwright/auth';
import { encodeId, newId, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { lockActiveAccount } from '../lock-account.js';
import { requireProject } from '../projects/projects.store.js';

/** Lifetime of a device-link code: ten minutes. */
const LIFE_MS = 600_000;

export interface NewDeviceCode {
  /** Owner of the future device. */
  user: { id: string; role: string; project: string };
  /**
   * Project of an admin's device, by default `Core`. The device of any other user works in the project of that user.
   */
  project?: Project | undefined;
  deviceName?: string | undefined;
  /** PKCE S256 challenge: a request can redeem the code only with the verifier of this challenge. */
  codeChallenge?: string | undefined;
}

export interface IssuedDeviceCode {
  /** The code: 64 hexadecimal characters. Only this answer contains the code; the database stores its SHA-256. */
  code: string;
  expires_at: string;
}

/**
 * Issues a code that can be redeemed once, within ten minutes, for a credential of a bridge.
 * @throws AppError conflict for an inactive account.
 */
export async function issueDeviceCode(tx: Tx, input: NewDeviceCode, actor: Actor): Promise<IssuedDeviceCode> {
  const { user, deviceName, codeChallenge } = input;
  if (!(await lockActiveAccount(tx, user.id)))
    throw new AppError('conflict', { fields: [{ field: 'user', reason: 'is inactive' }] });
  const project = user.role === 'admin' ? (input.project ?? 'Core') : user.project;
  await requireProject(tx, project);
  const code = newOneTimeToken();
  const expires = new Date(Date.now() + LIFE_MS);
  await tx.deviceLinkCode.create({
    data: {
      id: newId(),
      user_id: user.id,
      code_hash: new Uint8Array(hashSecret(code)),
      project,
      device_name: deviceName ?? null,
      code_challenge: codeChallenge ?? null,
      expires_at: expires,
    },
  });
  await recordDecision(tx, {
    actor,
    action: 'device_code.create',
    resource: encodeId('usr', user.id),
    project,
    detail: { ...(deviceName !== undefined && { device_name: deviceName }), expires_at: expires.toISOString() },
  });
  return { code, expires_at: expires.toISOString() };
}

export interface UsedDeviceCode {
  codeId: string;
  user: { id: string; name: string; email: string };
  project: Project;
  deviceName: string | null;
}

/**
 * Marks a code as used. Returns `undefined` for a code that is unknown, expired, revoked or used, and for a code of an inactive account.
 * Also returns `undefined` when the verifier does not match the challenge of the code, and when only one of verifier and challenge exists.
 */
export async function useDeviceCode(tx: Tx, code: string, verifier?: string): Promise<UsedDeviceCode | undefined> {
  const challenge = optionalCodeChallenge(verifier);
  const code_hash = new Uint8Array(hashSecret(code));
  const known = await tx.deviceLinkCode.findUnique({ where: { code_hash }, select: { user_id: true } });
  if (!known || !(await lockActiveAccount(tx, known.user_id))) return undefined;
  const [row] = await tx.$queryRaw<
    { id: string; user_id: string; name: string; email: string; project: Project; device_name: string | null }[]
  >`
    UPDATE device_link_codes c SET used_at = now() FROM users u
     WHERE c.code_hash = ${code_hash} AND c.used_at IS NULL AND c.revoked_at IS NULL AND c.expires_at > now()
       AND c.code_challenge IS NOT DISTINCT FROM ${challenge}::text AND u.id = c.user_id
    RETURNING c.id, c.user_id, u.name, u.email, c.project, c.device_name`;
  if (!row) return undefined;
  const { id: codeId, user_id, name, email, project, device_name: deviceName } = row;
  return { codeId, user: { id: user_id, name, email }, project, deviceName };
}

/**
 * Revokes the device that was created with a used code. Call this when the code arrives a second time, because then somebody has
 * intercepted the code.
 */
export async function revokeReplayed(
  tx: Tx,
  code: string,
  verifier: string | undefined,
  from: Pick<Actor, 'requestId' | 'ip'>,
): Promise<void> {
  const row = await tx.deviceLinkCode.findUnique({
    where: { code_hash: new Uint8Array(hashSecret(code)) },
    include: { user: true },
  });
  if (!row?.device_id || row.code_challenge !== optionalCodeChallenge(verifier)) return;
  const owner = { userId: row.user_id, kind: 'user', label: row.user.name, ...from } as const;
  const actor: Actor = { ...owner, origin: { by: 'stranger' } };
  await revokeDevice(tx, row.user_id, row.device_id, actor, 'device-link code replayed');
}

/** Revokes a device of the user, and also the token of the device. Returns `false` when the user has no such live device. */
export async function revokeDevice(
  tx: Tx,
  userId: string,
  deviceId: string,
  actor: Actor,
  reason: string,
): Promise<boolean> {
  const now = new Date();
  const { count } = await tx.device.updateMany({
    where: { id: deviceId, user_id: userId, revoked_at: null },
    data: { revoked_at: now },
  });
  if (count === 0) return false;
  await tx.userApiKey.updateMany({ where: { device: { id: deviceId }, revoked_at: null }, data: { revoked_at: now } });
  await recordDecision(tx, { actor, action: 'device.revoke', resource: encodeId('dev', deviceId), detail: { reason } });
  return true;
}

const optionalCodeChallenge = (verifier: string | undefined) =>
  verifier === undefined ? null : codeChallenge(verifier);
