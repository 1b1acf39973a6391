import { hasRole, PROJECT_ROLES, type Role } from '../../api/roles.js';
import { pageOfId } from '../../ui/event-resource.js';
import type { Found } from './sources.js';

interface Command {
  label: string;
  to: string;
  audience: readonly Role[];
  /** Further words by which the search finds the action. */
  words?: string;
}

const USERS: readonly Role[] = ['user'];

const ACTIONS: readonly Command[] = [
  { label: 'New agent', to: '/build/agents/new', audience: PROJECT_ROLES, words: 'create add assistant bot' },
  { label: 'New prompt', to: '/prompts/new', audience: PROJECT_ROLES, words: 'create add template' },
  { label: 'New skill', to: '/build/skills/new', audience: PROJECT_ROLES, words: 'create add' },
  { label: 'Add model', to: '/build/models/new', audience: PROJECT_ROLES, words: 'new create provider openai key' },
  { label: 'Add MCP server', to: '/build/mcp/new', audience: PROJECT_ROLES, words: 'new create connect tools' },
  { label: 'New content', to: '/build/content/new', audience: PROJECT_ROLES, words: 'create add knowledge' },
  { label: 'New block', to: '/blocks/new', audience: PROJECT_ROLES, words: 'create add' },
  { label: 'Install plugin', to: '/build/plugins/new', audience: PROJECT_ROLES, words: 'new add' },
  { label: 'New trigger', to: '/triggers/new', audience: PROJECT_ROLES, words: 'create schedule cron' },
  { label: 'New webhook', to: '/webhooks/new', audience: PROJECT_ROLES, words: 'create add event' },
  { label: 'New budget', to: '/budgets/new', audience: PROJECT_ROLES, words: 'create limit spend' },
  { label: 'Create API key', to: '/settings?new=key', audience: USERS, words: 'new secret credential' },
];

const SETTINGS: readonly Command[] = [
  { label: 'API keys', to: '/settings', audience: USERS, words: 'credential secret scopes permissions' },
  { label: 'Access tokens', to: '/settings?tab=tokens', audience: USERS, words: 'personal pat cli' },
  { label: 'OAuth clients', to: '/settings?tab=clients', audience: USERS, words: 'application app redirect' },
  { label: 'Appearance', to: '/settings?tab=appearance', audience: USERS, words: 'theme dark light color' },
  { label: 'Signing keys', to: '/settings?tab=signing-keys', audience: ['admin'], words: 'jwks rotate' },
  { label: 'Model prices', to: '/budgets/prices', audience: PROJECT_ROLES, words: 'cost tokens usd' },
  { label: 'Passkeys', to: '/profile', audience: ['user', 'auditor'], words: 'sign in login password' },
  { label: 'Sessions', to: '/profile', audience: ['user', 'auditor'], words: 'signed in browsers devices' },
];

const SCHEMES = [
  { scheme: 'dark', label: 'Dark' },
  { scheme: 'light', label: 'Light' },
  { scheme: 'auto', label: 'System' },
] as const;

/** Whether the label or the further words contain every word of the text. */
function isLike(text: string, { label, words = '' }: Pick<Command, 'label' | 'words'>): boolean {
  const all = `${label} ${words}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

const found = (commands: readonly Command[], text: string, roles: readonly string[]): Found[] =>
  commands
    .filter((command) => hasRole(roles, command.audience) && isLike(text, command))
    .map(({ label, to }) => ({ key: `command ${label}`, label, to }));

/** Returns the actions that match the typed text; none without a text. */
export function actionsLike(text: string, roles: readonly string[]): Found[] {
  if (text === '') return [];
  const schemes = SCHEMES.map(({ scheme, label }) => ({ key: `scheme ${scheme}`, label: `Theme: ${label}`, scheme }));
  return [
    ...found(ACTIONS, text, roles),
    ...schemes.filter(({ label }) => isLike(text, { label, words: 'appearance color mode' })),
  ];
}

export const settingsLike = (text: string, roles: readonly string[]): Found[] =>
  text === '' ? [] : found(SETTINGS, text, roles);

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Kinds of records whose ids are UUIDs. */
const BY_UUID = { Prompt: '/prompts', Block: '/blocks', Conversation: '/conversations' };

/** Returns the pages of records with the typed id, and the events of the request with that id. */
export function recordsWithId(text: string, roles: readonly string[]): Found[] {
  const page = pageOfId(text);
  const isUuid = UUID.test(text);
  const mayBuild = hasRole(roles, PROJECT_ROLES);
  return [
    ...(page && (mayBuild || page.to.startsWith('/runs/'))
      ? [{ key: `id ${page.to}`, label: `${page.kind} ${text}`, to: page.to }]
      : []),
    ...(isUuid && mayBuild
      ? Object.entries(BY_UUID).map(([kind, path]) => ({
          key: `id ${kind}`,
          label: `${kind} ${text}`,
          to: `${path}/${text}`,
        }))
      : []),
    ...(isUuid && hasRole(roles, ['admin', 'auditor'])
      ? [
          {
            key: 'id request',
            label: `Events of request ${text}`,
            to: `/audit?request_id=${encodeURIComponent(text)}`,
          },
        ]
      : []),
  ];
}
