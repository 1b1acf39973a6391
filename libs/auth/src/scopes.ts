import { isIdentityScope, type IdentityScope } from './identity-scopes.js';
import { isKeyScope, type KeyScope } from './key-scopes.js';
import type { Role } from './principal.js';

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

/**
 * Permissions of a credential. `users:*` have an effect only for an owner who is an admin; `admin` and `runs:read_all`
 * also for a project admin.
 */
export type Scope =
  | `${Resource}:${'read' | 'write'}`
  | 'agents:message'
  | 'mcp:call'
  | 'prompts:run'
  | 'runs:read'
  | 'runs:read_all'
  | 'runs:approve'
  | 'admin'
  | KeyScope
  | IdentityScope;

/** The scopes of the APIs that `*` may include. */
export const SCOPES: readonly Scope[] = [
  ...RESOURCES.flatMap((resource): Scope[] => [`${resource}:read`, `${resource}:write`]),
  'agents:message',
  'mcp:call',
  'prompts:run',
  'runs:read',
  'runs:read_all',
  'runs:approve',
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
  'runs:read': 'Read your own runs',
  'runs:approve': 'Decide about calls of tools that wait for a person, in runs that it may read',
  'runs:read_all': 'Read the runs of all users of the project, besides your own',
  admin: 'Administer the project',
};

/** Scopes that have an effect only for an owner with an admin role. A user consents to each of them separately. */
export const ADMIN_SCOPES = ['users:read', 'users:write', 'runs:read_all', 'admin'] as const satisfies Scope[];

/** Whether a scope has an effect only for an owner with an admin role. */
export const isAdminScope = (scope: string): boolean => ADMIN_SCOPES.some((one) => one === scope);

const forAdmins: ReadonlySet<string> = new Set(SCOPES);
const forUsers: ReadonlySet<string> = new Set(SCOPES.filter((scope) => !isAdminScope(scope)));
const forProjectAdmins: ReadonlySet<string> = new Set([...forUsers, ...(['runs:read_all', 'admin'] satisfies Scope[])]);
const forNobody: ReadonlySet<string> = new Set();

/** Returns all scopes that the credentials of an account with these roles may have. */
function scopesFor(roles: readonly Role[]): ReadonlySet<string> {
  if (roles.includes('admin')) return forAdmins;
  if (roles.includes('project_admin')) return forProjectAdmins;
  return roles.includes('user') ? forUsers : forNobody;
}

/** Whether a text is `*`, or a scope that every kind of credential can have. */
export function isGrantableScope(text: string): boolean {
  return text === '*' || forAdmins.has(text);
}

/**
 * Whether an account may give a credential this scope. Every account may give `*`, which means all rights of the owner
 * except the scopes of keys.
 */
export function mayGive(scope: string, roles: readonly Role[]): boolean {
  return scope === '*' || scopesFor(roles).has(scope) || (isKeyScope(scope) && roles.includes('user'));
}

/** Returns the scopes that an account may give to every kind of credential, with descriptions. */
export function describeScopes(roles: readonly Role[]): { scope: string; description: string }[] {
  const scopes = [...scopesFor(roles)].map((scope) => ({ scope, description: inWords(scope) }));
  return [{ scope: '*', description: 'Everything that your account may do' }, ...scopes];
}

const isAction = (scope: string): scope is keyof typeof ACTIONS => scope in ACTIONS;

function inWords(scope: string): string {
  if (isAction(scope)) return ACTIONS[scope];
  const [resource, verb] = scope.split(':') as [Resource, string];
  return `${verb === 'read' ? 'Read' : 'Create, change and delete'} ${NAMES[resource]}`;
}

/**
 * Returns the scopes that a credential has now. They depend on the present roles of its owner. `*` means all scopes of
 * the owner, without the scopes of OpenID Connect and of keys.
 */
export function effectiveScopes(granted: readonly string[], ownerRoles: readonly Role[]): ReadonlySet<string> {
  const allowed = scopesFor(ownerRoles);
  const isUser = ownerRoles.includes('user');
  const ofKeys = isUser ? granted.filter(isKeyScope) : [];
  if (granted.includes('*')) return new Set([...allowed, ...ofKeys]);
  const isNamed = (scope: string) => allowed.has(scope) || ofKeys.includes(scope) || (isUser && isIdentityScope(scope));
  return new Set(granted.filter(isNamed));
}
