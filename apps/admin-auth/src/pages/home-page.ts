/** The first page of the console, which most users may not open. */
const CONSOLE = '/admin';

/** The address after a sign-in that wanted `target`. The sign-in page redirects a signed-in browser to the first page for its roles. */
export const afterSignIn = (target: string): string => (target === CONSOLE ? '/admin/login' : target);

/** The address of a signed-in browser: the wanted one, or the chat instead of the console for users without a part in it. */
export function startPage(roles: readonly string[], target = CONSOLE): string {
  const opensConsole = ['admin', 'project_admin', 'auditor'].some((role) => roles.includes(role));
  return target === CONSOLE && !opensConsole ? '/chat' : target;
}
