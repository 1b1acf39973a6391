/**
 * Scopes of OpenID Connect (Core 1.0 §5.4), for data about the user who consents. Every account except an auditor's may
 * grant them. No API key has them.
 */
export const IDENTITY_SCOPES = ['openid', 'profile', 'email'] as const;
export type IdentityScope = (typeof IDENTITY_SCOPES)[number];

const IDENTITY: Record<IdentityScope, string> = {
  openid: 'Identify you, by the id of your account and the time of your sign-in',
  profile: 'Read your name',
  email: 'Read your email address',
};

/** Whether a scope is one of OpenID Connect. */
export const isIdentityScope = (scope: string): boolean => IDENTITY_SCOPES.some((one) => one === scope);

/** Returns the scopes of OpenID Connect, with descriptions. */
export const describeIdentityScopes = (): { scope: string; description: string }[] =>
  IDENTITY_SCOPES.map((scope) => ({ scope, description: IDENTITY[scope] }));
