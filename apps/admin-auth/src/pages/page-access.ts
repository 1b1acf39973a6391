import type { Access } from '@millwright/http';
import { AUDIT_ACCESS } from '../audit/audit.contract.js';

/** Pages of the records and members of one project. */
const PROJECT_ACCESS: Access = { role: ['admin', 'project_admin'] };

/** Access to pages by path. The first matching row applies. Paths without a row require the role `admin`. */
const ROWS: readonly (readonly [RegExp, Access])[] = [
  [/^\/admin\/(login|register|magic-link|openapi\.json|docs)$/, 'public'],
  [/^\/admin\/(oauth|assets|sso|\.well-known)\//, 'public'],
  [
    /^\/admin\/api\/(sign-out|passkey\/(login|register)\/(start|finish)|magic-link\/(request|account|validate))$/,
    'public',
  ],
  // Public, because this page also answers applications when no user is signed in.
  [/^\/admin\/consent\/silent$/, 'public'],
  // The pages themselves check the setup token in their query.
  [/^\/admin\/(add-passkey|verify-pending)$/, 'public'],
  [/^\/admin\/(profile|consent|device)(\/|$)/, 'session'],
  [/^\/admin\/(settings|setup|inbox|runs)(\/|$)/, { role: 'user' }],
  [/^\/bridge-auth\/(session|nonce|token)$/, 'public'],
  [/^\/(bridge-auth|chat)(\/|$)/, { role: 'user' }],
  [/^\/admin\/(enterprises|reports\/internal(\/|$))/, { role: 'platform_admin' }],
  [/^\/admin\/audit(\/|$)/, AUDIT_ACCESS],
  [
    /^\/admin(\/?$|\/(build|talk|prompts|blocks|conversations|limits|triggers|webhooks|budgets|usage)(\/|$)|\/access\/users(\/|$))/,
    PROJECT_ACCESS,
  ],
  [/^\/admin(\/|$)/, { role: 'admin' }],
];

/**
 * Returns the access that a console path without an endpoint requires, even if no page has this path. The access to endpoints is part of
 * their contracts. Paths outside the console are public.
 */
export const pageAccess = (path: string): Access => ROWS.find(([pattern]) => pattern.test(path))?.[1] ?? 'public';
