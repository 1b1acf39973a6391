import type { SecurityActivity } from '../../api/admin-records.js';

const TEXTS: Readonly<Record<SecurityActivity['event'], string>> = {
  passkey_added: 'Passkey added',
  role_changed: 'Role changed',
  passkey_removed: 'Passkey removed',
  device_linked: 'Device linked',
  token_created: 'Access token created for a device',
  identity_linked: 'Sign-in by an identity provider linked',
  identity_unlinked: 'Sign-in by an identity provider unlinked',
  recovery_used: 'Signed in with a recovery link',
  email_changed: 'Email address changed',
  setup_link_created: 'Setup link created',
  session_limit_reached: 'Signed out of the session used least recently: too many were open',
  credentials_revoked: 'Sessions, keys and devices revoked',
};

export const activityText = (event: SecurityActivity['event']): string => TEXTS[event];
