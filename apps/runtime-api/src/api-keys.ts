import type { createApiKeyVerifier } from '@millwright/auth';

/** Whether API keys may have this scope at this service. Only OAuth access tokens may read and change accounts. */
export const isForKeys = (scope: string): boolean => !scope.startsWith('users:');

type Verify = ReturnType<typeof createApiKeyVerifier>;

/** Verifies API keys, and removes from their scopes those that no API key may have at this service. */
export function createRuntimeKeyVerifier(verify: Verify): Verify {
  return async (text, request) => {
    const principal = await verify(text, request);
    if (!principal) return undefined;
    return { ...principal, scopes: new Set([...principal.scopes].filter((scope) => isForKeys(scope))) };
  };
}
