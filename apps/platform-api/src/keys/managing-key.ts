import type { ManagingKey } from '@millwright/accounts/keys-by-key';
import type { Principal } from '@millwright/auth';
import { AppError } from '@millwright/errors';

/** Mask of a secret in stored answers. */
export const KEPT = '********';

/** Returns the API key of the request, which manages the credentials of its owner. @throws AppError forbidden for a credential of another kind */
export function managingKey({ credential: { kind, id }, user, project }: Principal): ManagingKey {
  if (kind !== 'api_key') throw new AppError('forbidden');
  return { id, userId: user.id, project };
}
