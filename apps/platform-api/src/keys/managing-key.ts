import type { ManagingKey } from '@millwright/accounts/keys-by-key';
import type { Principal } from '@millwright/auth';
import { AppError } from '@millwright/errors';

/** Mask of a secret in stored answers. */
export const KEPT = '********';

/** The API key that manages its owner's credentials. Only API keys can have the scopes for managing keys (`keys:…`). */
export function managingKey({ credential: { kind, id }, user, project }: Principal): ManagingKey {
  if (kind !== 'api_key') throw new AppError('forbidden');
  return { id, userId: user.id, project };
}
