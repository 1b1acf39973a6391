import type { McpAuth } from '../../api/platform-records.js';

export const AUTH_TYPES: Readonly<Record<McpAuth['type'], string>> = {
  none: 'None (headers only)',
  client_credentials: 'Shared account (OAuth client credentials)',
  user: 'Per-user account (OAuth)',
};
