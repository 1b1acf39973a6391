/** Groups of operators' commands. Their code, with the database client, is loaded only for one of them. */
export const OPERATOR_GROUPS = [
  'users',
  'setup-token',
  'device-code',
  'sessions',
  'session',
  'passkeys',
  'identities',
  'keys',
  'clients',
  'signing-keys',
  'audit',
  'db',
  'quotas',
  'secrets',
  'bridge',
  'key-files',
] as const;
