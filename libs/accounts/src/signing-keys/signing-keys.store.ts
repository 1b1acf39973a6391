import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { recordDecision, type Actor } from '@millwright/audit';
import type { TokenIssuer } from '@millwright/auth/signing-keys';
import type { Database, Prisma, Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { calculateJwkThumbprint } from 'jose';

export interface SigningKeyRecord {
  kid: string;
  issuer: string;
  created_at: string;
  /** Time of the first signature with the key; null while the key is only published in advance. */
  active_at: string | null;
  /** Time from which tokens of the key are refused. */
  retired_at: string | null;
  /** Time of the key's revocation. From then on, the key is treated as leaked. */
  revoked_at: string | null;
  /** Whether the issuer signs with the key now. */
  current: boolean;
  public_jwk: JsonWebKey;
}

/** Lists all signing keys, newest first. */
export async function listSigningKeys(db: Database): Promise<SigningKeyRecord[]> {
  const rows = await db.prisma.signingKey.findMany({ orderBy: [{ created_at: 'desc' }, { kid: 'asc' }] });
  const currentOf = (issuer: string) =>
    rows
      .filter(
        (row) => row.issuer === issuer && row.active_at !== null && row.retired_at === null && row.revoked_at === null,
      )
      .sort((a, b) => Number(b.active_at) - Number(a.active_at))[0];
  return rows.map((row) => ({
    kid: row.kid,
    issuer: row.issuer,
    created_at: row.created_at.toISOString(),
    active_at: row.active_at?.toISOString() ?? null,
    retired_at: row.retired_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    current: currentOf(row.issuer) === row,
    public_jwk: row.public_jwk as JsonWebKey,
  }));
}

export interface NewSigningKey {
  kid: string;
  issuer: TokenIssuer;
  /** Private key in PKCS #8. Only this answer contains the private key. */
  pem: string;
}

/**
 * Creates the next key of an issuer, and publishes its public half in advance. The issuer signs with the new key as soon as the issuer's key file has
 * the private half. Earlier keys that were never used are retired.
 */
export async function rotateSigningKey(tx: Tx, issuer: TokenIssuer, actor: Actor): Promise<NewSigningKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint(jwk);
  await tx.signingKey.updateMany({
    where: { issuer, active_at: null, retired_at: null },
    data: { retired_at: new Date() },
  });
  await tx.signingKey.create({ data: { kid, issuer, public_jwk: jwk as Prisma.InputJsonObject } });
  await recordDecision(tx, { actor, action: 'signing_key.rotate', resource: kid, detail: { issuer } });
  return { kid, issuer, pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/**
 * Revokes a leaked key. The key leaves the JWK Set immediately, and every verifier refuses its tokens within ten seconds. Within the same time, a
 * process that signs with the key generates a temporary key, and signs with the temporary key until its key file has another key. Revoking twice is
 * not an error.
 *
 * @returns the issuer of the key.
 * @throws AppError not_found when there is no such key
 */
export async function revokeSigningKey(tx: Tx, kid: string, actor: Actor): Promise<TokenIssuer> {
  const key = await tx.signingKey.findUnique({ where: { kid } });
  if (!key) throw new AppError('not_found');
  const { count } = await tx.signingKey.updateMany({
    where: { kid, revoked_at: null },
    data: { revoked_at: new Date() },
  });
  const detail = { issuer: key.issuer };
  if (count > 0) await recordDecision(tx, { actor, action: 'signing_key.revoke', resource: kid, detail });
  return key.issuer as TokenIssuer;
}
