/**
 * Scopes with which an API key manages the API keys and OAuth clients of its owner. `*` does not include these scopes:
 * a key has one of them only when that scope was granted by name. No OAuth client has them.
 */
export const KEY_SCOPES = ['keys:read', 'keys:write'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

const IN_WORDS: Record<KeyScope, string> = {
  'keys:read': 'Read your API keys and OAuth clients, without their secrets',
  'keys:write': 'Create API keys and OAuth clients with no more rights than its own, and revoke yours',
};

/** Whether only API keys can have a scope. */
export const isKeyScope = (scope: string): boolean => KEY_SCOPES.some((one) => one === scope);

/** Returns the scopes that only API keys can have, with descriptions. */
export const describeKeyScopes = (): { scope: string; description: string }[] =>
  KEY_SCOPES.map((scope) => ({ scope, description: IN_WORDS[scope] }));
