const RESOURCES = [
  'skills',
  'agents',
  'plugins',
  'content',
  'mcp',
  'prompts',
  'conversations',
  'artifacts',
  'blocks',
  'users',
  'files',
  'analytics',
] as const;

type Resource = (typeof RESOURCES)[number];

/** What a credential may be allowed to do. `admin` and `users:*` work only for an owner who is an admin. */
export type Scope = `${Resource}:${'read' | 'write'}` | 'agents:message' | 'mcp:call' | 'prompts:run' | 'admin';

export const SCOPES: readonly Scope[] = [
  ...RESOURCES.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`]),
  'agents:message',
  'mcp:call',
  'prompts:run',
  'admin',
];

const ADMIN_ONLY: readonly string[] = ['users:read', 'users:write', 'admin'] satisfies Scope[];
const forAdmins: ReadonlySet<string> = new Set(SCOPES);
const forUsers: ReadonlySet<string> = new Set(SCOPES.filter((scope) => !ADMIN_ONLY.includes(scope)));

/** Whether a text can stand in a credential's scope list. */
export function isGrantableScope(text: string): boolean {
  return text === '*' || forAdmins.has(text);
}

/** What a credential with these scopes may do for its owner now: `*` means all that the owner may. */
export function effectiveScopes(granted: readonly string[], ownerIsAdmin: boolean): ReadonlySet<string> {
  const allowed = ownerIsAdmin ? forAdmins : forUsers;
  return granted.includes('*') ? allowed : new Set(granted.filter((scope) => allowed.has(scope)));
}
