import { Prisma, type Tx } from '@millwright/db';

/** Id of the account that replaces every erased person. All remaining rows refer to this account, so that erased persons are indistinguishable. */
export const ERASED_USER_ID = '00000000-0000-7000-8000-000000000000';
export const ERASED_NAME = 'Erased user';
/** Domain without mailboxes (RFC 2606 §2). */
const DOMAIN = 'erased.invalid';

/** Returns the address that an erased account gets. */
export const erasedEmail = (id: string): string => `${id}@${DOMAIN}`;

export const isErasedEmail = (email: string): boolean => email.endsWith(`@${DOMAIN}`);

/** Creates the account that replaces every erased person. The account is inactive and is never enabled. */
export async function ensureErasedUser(tx: Tx): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO users (id, email, name, status, webauthn_user_id, disabled_at, deleted_at, updated_at)
    VALUES (${ERASED_USER_ID}::uuid, ${erasedEmail(ERASED_USER_ID)}, ${ERASED_NAME}, 'inactive', ${noHandle()}, now(), now(), now())
    ON CONFLICT (id) DO NOTHING`;
}

/** Returns a WebAuthn user handle that no authenticator has. */
export const noHandle = () =>
  Prisma.sql`decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex')`;
