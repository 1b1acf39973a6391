import type { SecretBox } from '@millwright/secrets';

const place = (webhookUuid: string) => `webhooks/${webhookUuid}/secret`;

/** A webhook's key, bound to its webhook. */
export const sealSecret = (secrets: SecretBox, webhookUuid: string, secret: string): string =>
  secrets.seal(secret, place(webhookUuid));

/** @throws SecretUnreadable */
export const openSecret = (secrets: SecretBox, webhookUuid: string, sealed: string): string =>
  secrets.open(sealed, place(webhookUuid));
