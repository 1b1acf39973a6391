import { secretPlaces, type SecretBox } from '@millwright/secrets';

/** A trigger's key, bound to its trigger. */
export const sealTriggerSecret = (secrets: SecretBox, triggerUuid: string, secret: string): string =>
  secrets.seal(secret, secretPlaces.trigger(triggerUuid));

/** @throws SecretUnreadable */
export const openTriggerSecret = (secrets: SecretBox, triggerUuid: string, sealed: string): string =>
  secrets.open(sealed, secretPlaces.trigger(triggerUuid));
