import { secretPlaces, type SecretBox } from '@millwright/secrets';

/** Encrypts a webhook's key so that only this webhook can use it. */
export const sealSecret = (secrets: SecretBox, webhookUuid: string, secret: string): string =>
  secrets.seal(secret, secretPlaces.webhook(webhookUuid));

/** @throws SecretUnreadable */
export const openSecret = (secrets: SecretBox, webhookUuid: string, sealed: string): string =>
  secrets.open(sealed, secretPlaces.webhook(webhookUuid));
