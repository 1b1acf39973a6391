import type { SecretBox } from '@millwright/secrets';

const place = (triggerUuid: string) => `triggers/${triggerUuid}/secret`;

/** A trigger's key, bound to its trigger. */
export const sealTriggerSecret = (secrets: SecretBox, triggerUuid: string, secret: string): string =>
  secrets.seal(secret, place(triggerUuid));

/** @throws SecretUnreadable */
export const openTriggerSecret = (secrets: SecretBox, triggerUuid: string, sealed: string): string =>
  secrets.open(sealed, place(triggerUuid));
