import { secretPlaces, type SecretBox } from '@millwright/secrets';

/** Encrypts a trigger's key so that only this trigger can use it. */
export const sealTriggerSecret = (secrets: SecretBox, triggerUuid: string, secret: string): string =>
  secrets.seal(secret, secretPlaces.trigger(triggerUuid));

/** @throws SecretUnreadable when a sealed value cannot be decrypted */
export const openTriggerSecret = (secrets: SecretBox, triggerUuid: string, sealed: string): string =>
  secrets.open(sealed, secretPlaces.trigger(triggerUuid));
