/** `setup`: what it does needs a setup token, which the endpoint itself checks. */
export type Access = 'public' | 'setup' | 'session' | 'admin' | 'platform_admin';

/** Spec, "Route protection", and decisions §6 A. The first row that matches counts. */
const ROWS: readonly (readonly [RegExp, Access])[] = [
  [/^\/admin\/(login|register|magic-link|openapi\.json|docs)$/, 'public'],
  [/^\/admin\/(oauth|assets|\.well-known)\//, 'public'],
  [/^\/admin\/api\/(register$|magic-link\/|passkey\/login\/)/, 'public'],
  [/^\/admin\/(add-passkey|verify-pending)$/, 'setup'],
  [/^\/admin\/api\/passkey\/register\//, 'setup'],
  [/^\/admin\/(profile|settings|setup|consent)(\/|$)/, 'session'],
  [/^\/admin\/api\/(me|step-up|sessions|passkeys|keys|clients|consents|sign-out)(\/|$)/, 'session'],
  [/^\/admin\/api\/(areas|devices)(\/|$)/, 'session'],
  // Carry a code or a personal access token of their own (decisions §2, "Device bridge").
  [/^\/bridge-auth\/(session|nonce|token)$/, 'public'],
  [/^\/admin\/api\/scopes$/, 'session'],
  [/^\/bridge-auth(\/|$)/, 'session'],
  [/^\/admin\/enterprises/, 'platform_admin'],
  [/^\/admin\/reports\/internal(\/|$)/, 'platform_admin'],
  [/^\/admin\/api\/(enterprises|reports)(\/|$)/, 'platform_admin'],
  [/^\/admin(\/|$)/, 'admin'],
];

/** Who may ask for a path, whether it exists or not. What lies outside the console is not its to protect. */
export function accessOf(path: string): Access {
  return ROWS.find(([pattern]) => pattern.test(path))?.[1] ?? 'public';
}
