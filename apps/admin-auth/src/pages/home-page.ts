/** The first page of the console. Most users may not open it. */
const CONSOLE = '/admin';

/**
 * Returns the address to open after a sign-in that started at `target`. If `target` is the first page of the console, this is the sign-in
 * page: it redirects a signed-in browser to the first page for the user's roles.
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
