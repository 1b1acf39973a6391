import { recordDecision, recordStrangerDenial, type Actor } from '@millwright/audit';
import { queueNotice, requireRoomForPasskey } from '@millwright/accounts';
import { hashSecret, isOneTimeToken } from '@millwright/auth';
import { encodeId, newId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { AuthenticatorTransport, WebAuthnCredential } from '@simplewebauthn/server';

export interface PasskeyOwner {
  id: string;
  name: string;
  email: string;
  project: string;
  status: string;
  webauthn_user_id: Uint8Array;
}

export interface FoundPasskey {
  id: string;
  credential: WebAuthnCredential;
  owner: PasskeyOwner;
  /** Whether the passkey was removed from its account. */
  removed: boolean;
}

/** Returns the transports of a stored passkey, as the browser reported them at the enrolment. */
export const transportsOf = ({ transports }: { transports: string[] }) => transports as AuthenticatorTransport[];

export interface NewPasskey {
  credential: WebAuthnCredential;
  deviceType: string;
  backedUp: boolean;
  aaguid: string;
  name: string;
}

export type PasskeyRow = NonNullable<Awaited<ReturnType<Tx['passkey']['findUnique']>>>;

const OWNER = { id: true, name: true, email: true, project: true, status: true, webauthn_user_id: true } as const;

interface PasskeyWithOwner extends Omit<PasskeyOwner, 'id'> {
  id: string;
  public_key: Uint8Array;
  counter: string;
  transports: string[];
  removed: boolean;
  user_id: string;
}

/**
 * SQL that reads a passkey and its owner in one statement. A second statement would run only for known passkeys, so its duration would
 * reveal that a passkey is known.
 */
const FIND = `
  SELECT p.id, p.public_key, p.counter, p.transports, p.removed_at IS NOT NULL AS removed,
         p.user_id, u.name, u.email, u.project, u.status, u.webauthn_user_id
    FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1`;

export function createPasskeyStore(db: Database) {
  const owned = async (tx: Pick<Tx, 'passkey'>, userId: string) =>
    await tx.passkey.findMany({
      where: { user_id: userId, removed_at: null },
      orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
    });

  return {
    /** Finds the account to which a live setup token belongs. */
    async ownerOfSetupToken(token: string): Promise<{ tokenId: string; owner: PasskeyOwner } | undefined> {
      if (!isOneTimeToken(token)) return undefined;
      const row = await db.prisma.setupToken.findUnique({
        where: { token_hash: new Uint8Array(hashSecret(token)) },
        include: { user: { select: OWNER } },
      });
      const isGood = row && row.used_at === null && row.expires_at > new Date() && row.user.status === 'active';
      return isGood ? { tokenId: row.id, owner: row.user } : undefined;
    },

    /** Writes an audit row for the account of a used or expired setup token when this token is sent again. */
    async recordSpentToken(token: string, from: Pick<Actor, 'requestId' | 'ip'>): Promise<void> {
      const token_hash = new Uint8Array(hashSecret(token));
      const row = await db.prisma.setupToken.findUnique({ where: { token_hash }, include: { user: true } });
      if (!row) return;
      const { id, name: label, project, status } = row.user;
      const entry = {
        actor: { ...from, userId: id, kind: 'user', label },
        action: 'setup_token.use',
        resource: encodeId('usr', id),
        project,
      } as const;
      const reason = row.used_at !== null ? 'used before' : status === 'active' ? 'expired' : 'account disabled';
      await recordStrangerDenial(db, entry, reason);
    },

    async owner(userId: string): Promise<PasskeyOwner | null> {
      return db.prisma.user.findUnique({ where: { id: userId }, select: OWNER });
    },

    list: (userId: string) => owned(db.prisma, userId),

    /** Finds a passkey, including removed passkeys. */
    async find(credentialId: string): Promise<FoundPasskey | undefined> {
      const [row] = await db.prepared<PasskeyWithOwner>('find-passkey', FIND, [credentialId]);
      if (!row) return undefined;
      const transports = transportsOf(row);
      const publicKey = new Uint8Array(row.public_key);
      const { user_id, name, email, project, status, webauthn_user_id } = row;
      return {
        id: row.id,
        owner: { id: user_id, name, email, project, status, webauthn_user_id },
        removed: row.removed,
        credential: { id: credentialId, publicKey, counter: Number(row.counter), transports },
      };
    },

    /**
     * Stores a use. Returns `false` when the counter did not increase, which indicates a copied authenticator. A counter that is always 0
     * is accepted.
     */
    async noteUse(tx: Tx, id: string, counter: number): Promise<boolean> {
      const count = await tx.$executeRaw`
        UPDATE passkeys SET counter = ${BigInt(counter)}, last_used_at = now()
         WHERE id = ${id}::uuid AND removed_at IS NULL AND (counter < ${BigInt(counter)} OR (counter = 0 AND ${BigInt(counter)} = 0))`;
      return count === 1;
    },

    /**
     * Adds a passkey. With a setup token, this must be the account's first passkey, and all setup tokens of the account are consumed.
     * @returns the account's passkeys.
     * @throws AppError forbidden when the token was used concurrently or the account already has a passkey, conflict when the account has
     * the maximum number of passkeys.
     */
    async enrol(
      tx: Tx,
      owner: PasskeyOwner,
      setupTokenId: string | null,
      passkey: NewPasskey,
      actor: Actor,
    ): Promise<PasskeyRow[]> {
      const held = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM users WHERE id = ${owner.id}::uuid AND status = 'active' FOR UPDATE`;
      if (held.length === 0) throw new AppError('forbidden'); // the account was disabled concurrently
      const isFirst = (await tx.passkey.count({ where: { user_id: owner.id } })) === 0;
      if (setupTokenId !== null) {
        const used = await tx.$executeRaw`
          UPDATE setup_tokens SET used_at = now() WHERE id = ${setupTokenId}::uuid AND used_at IS NULL AND expires_at > now()`;
        if (used !== 1 || (await owned(tx, owner.id)).length > 0) throw new AppError('forbidden');
        await tx.setupToken.updateMany({ where: { user_id: owner.id, used_at: null }, data: { used_at: new Date() } });
      }
      await requireRoomForPasskey(tx, owner.id);
      const id = newId();
      await tx.passkey.create({
        data: {
          id,
          user_id: owner.id,
          credential_id: passkey.credential.id,
          public_key: new Uint8Array(passkey.credential.publicKey),
          counter: BigInt(passkey.credential.counter),
          transports: passkey.credential.transports ?? [],
          device_type: passkey.deviceType,
          backed_up: passkey.backedUp,
          aaguid: passkey.aaguid,
          name: passkey.name,
        },
      });
      const detail = { passkey: id, name: passkey.name };
      await recordDecision(tx, {
        actor,
        action: 'passkey.create',
        resource: encodeId('usr', owner.id),
        project: owner.project,
        detail,
      });
      if (!isFirst) await queueNotice(tx, owner, 'passkey_added', actor);
      return await owned(tx, owner.id);
    },

    /** @throws AppError not_found when the passkey is removed or belongs to another account. */
    async rename(tx: Tx, userId: string, id: string, name: string, actor: Actor): Promise<PasskeyRow> {
      const where = { id, user_id: userId, removed_at: null };
      const { count } = await tx.passkey.updateMany({ where, data: { name } });
      if (count === 0) throw new AppError('not_found');
      const detail = { passkey: id, name };
      await recordDecision(tx, { actor, action: 'passkey.rename', resource: encodeId('usr', userId), detail });
      return await tx.passkey.findUniqueOrThrow({ where: { id } });
    },

    /**
     * Marks a passkey as removed. The row is kept, so that the browser can be notified when it still uses the passkey.
     *
     * @throws AppError not_found when the account has no such passkey, conflict when it is the account's last passkey.
     */
    async remove(tx: Tx, userId: string, id: string, actor: Actor): Promise<void> {
      // Serializes the removals of an account, so that two concurrent removals cannot remove its last two passkeys.
      await tx.$queryRaw`SELECT 1 FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
      const live = await owned(tx, userId);
      const passkey = live.find((row) => row.id === id);
      if (!passkey) throw new AppError('not_found');
      if (live.length === 1) throw new AppError('conflict');
      await tx.passkey.update({ where: { id }, data: { removed_at: new Date() } });
      const detail = { passkey: id, name: passkey.name };
      await recordDecision(tx, { actor, action: 'passkey.remove', resource: encodeId('usr', userId), detail });
    },
  };
}
export type PasskeyStore = ReturnType<typeof createPasskeyStore>;
