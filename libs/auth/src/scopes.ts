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

/** Permissions of a credential. `admin` and `users:*` have an effect only for an owner who is an admin. */
export type Scope = `${Resource}:${'read' | 'write'}` | 'agents:message' | 'mcp:call' | 'prompts:run' | 'admin';

export const SCOPES: readonly Scope[] = [
  ...RESOURCES.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`]),
  'agents:message',
  'mcp:call',
  'prompts:run',
  'admin',
];

const NAMES: Record<Resource, string> = {
  skills: 'skills',
  agents: 'agents',
  plugins: 'plugins and their settings',
  content: 'content',
  mcp: 'MCP servers',
  prompts: 'prompts',
  conversations: 'conversations',
  artifacts: 'artifacts',
  blocks: 'blocks',
  users: 'accounts',
  files: 'files',
  analytics: 'analytics',
};

const ACTIONS = {
  'agents:message': 'Send messages to agents',
  'mcp:call': 'Call tools of MCP servers',
  'prompts:run': 'Run prompts',
  admin: 'Administer the project',
};

const ADMIN_ONLY: readonly string[] = ['users:read', 'users:write', 'admin'] satisfies Scope[];

/** Whether a scope works only for an owner who is an admin. */
export const isAdminScope = (scope: string): boolean => ADMIN_ONLY.includes(scope);

const forAdmins: ReadonlySet<string> = new Set(SCOPES);
const forUsers: ReadonlySet<string> = new Set(SCOPES.filter((scope) => !ADMIN_ONLY.includes(scope)));

/** Whether a text is a scope or `*`. */
export function isGrantableScope(text: string): boolean {
  return text === '*' || forAdmins.has(text);
}

/** Whether an account may give a credential this scope. Every account may give `*`: it means all rights of the owner. */
export function mayGive(scope: string, isAdmin: boolean): boolean {
  return scope === '*' || (isAdmin ? forAdmins : forUsers).has(scope);
}

/** The scopes that an account may give a credential, with descriptions. */
export function describeScopes(isAdmin: boolean): { scope: string; description: string }[] {
  const scopes = [...(isAdmin ? forAdmins : forUsers)].map((scope) => ({ scope, description: inWords(scope) }));
  return [{ scope: '*', description: 'Everything that your account may do' }, ...scopes];
}

const isAction = (scope: string): scope is keyof typeof ACTIONS => scope in ACTIONS;

function inWords(scope: string): string {
  if (isAction(scope)) return ACTIONS[scope];
  const [resource, verb] = scope.split(':') as [Resource, string];
  return `${verb === 'read' ? 'Read' : 'Create, change and delete'} ${NAMES[resource]}`;
}

/** Scopes of a credential that its owner has now. `*` means all of the owner's. */
export function effectiveScopes(granted: readonly string[], ownerIsAdmin: boolean): ReadonlySet<string> {
  const allowed = ownerIsAdmin ? forAdmins : forUsers;
  return granted.includes('*') ? allowed : new Set(granted.filter((scope) => allowed.has(scope)));
}
