/** The first page of the console, which most users may not open. */
const CONSOLE = '/admin';

/**
 * The address to open after a sign-in that was started for `target`. For the console's first page, this is the sign-in page, which
 * redirects a signed-in browser to the first page for its roles.
 */
export const afterSignIn = (target: string): string => (target === CONSOLE ? '/admin/login' : target);

/**
 * Returns the address for a signed-in browser: `target`, or the chat instead of the console for users whose role cannot open the
 * console.
 */
export function startPage(roles: readonly string[], target = CONSOLE): string {
  const opensConsole = ['admin', 'project_admin', 'auditor'].some((role) => roles.includes(role));
  return target === CONSOLE && !opensConsole ? '/chat' : target;
}
