import type { createApiKeyVerifier } from '@millwright/auth';

/** Whether an API key may hold this scope here. Accounts are read and changed by OAuth access tokens only. */
export const isForKeys = (scope: string): boolean => !scope.startsWith('users:');

type Verify = ReturnType<typeof createApiKeyVerifier>;

/** The same verification, without the scopes that keys do not have at this service. */
export function createRuntimeKeyVerifier(verify: Verify): Verify {
  return async (text, request) => {
    const principal = await verify(text, request);
    if (!principal) return undefined;
    return { ...principal, scopes: new Set([...principal.scopes].filter((scope) => isForKeys(scope))) };
  };
}
