import type { Access } from '@millwright/http';

/** Pages that need a session alone or the platform admin's role. The first row that matches counts. */
const ROWS: readonly (readonly [RegExp, Access])[] = [
  [/^\/admin\/(login|register|magic-link|openapi\.json|docs)$/, 'public'],
  [/^\/admin\/sso\/confirm$/, 'session'],
  [/^\/admin\/(oauth|assets|sso|\.well-known)\//, 'public'],
  [/^\/admin\/api\/(sign-out|passkey\/(login|register)\/(start|finish)|magic-link\/(request|validate))$/, 'public'],
  // The pages themselves check the setup token in their query.
  [/^\/admin\/(add-passkey|verify-pending)$/, 'public'],
  [/^\/admin\/(profile|settings|setup|consent)(\/|$)/, 'session'],
  [/^\/bridge-auth\/(session|nonce|token)$/, 'public'],
  [/^\/bridge-auth(\/|$)/, 'session'],
  [/^\/admin\/(enterprises|reports\/internal(\/|$))/, { role: 'platform_admin' }],
  [/^\/admin(\/|$)/, { role: 'admin' }],
];

/**
 * The access that a console path without an endpoint requires, whether or not it is a page; contracts state the access of
 * endpoints. Paths outside the console are public.
 */
export const pageAccess = (path: string): Access => ROWS.find(([pattern]) => pattern.test(path))?.[1] ?? 'public';
