import { secretPlaces, type SecretBox } from '@millwright/secrets';

/** Encrypts a webhook's key so that only this webhook can use it. */
export const sealSecret = (secrets: SecretBox, webhookUuid: string, secret: string): string =>
  secrets.seal(secret, secretPlaces.webhook(webhookUuid));

/** Decrypts a webhook's key. @throws SecretUnreadable when the key cannot be decrypted */
export const openSecret = (secrets: SecretBox, webhookUuid: string, sealed: string): string =>
  secrets.open(sealed, secretPlaces.webhook(webhookUuid));
