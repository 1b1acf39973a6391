import {
  type Icon,
  IconBlocks,
  IconBolt,
  IconActivity,
  IconBuilding,
  IconChartBar,
  IconClockPlay,
  IconCoins,
  IconCpu,
  IconEyeOff,
  IconFiles,
  IconGauge,
  IconInbox,
  IconLayoutDashboard,
  IconListSearch,
  IconMessage2,
  IconMessages,
  IconNotebook,
  IconPlug,
  IconPuzzle,
  IconReportMoney,
  IconRobot,
  IconRocket,
  IconSettings,
  IconShieldCheck,
  IconSparkles,
  IconTemplate,
  IconUserCircle,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import { AUDIT_ROLES, CHAT, hasRole, PROJECT_ROLES, type Role } from '../api/roles.js';

export interface NavigationEntry {
  label: string;
  to: string;
  icon: Icon;
  /** Roles that may open the page. */
  audience: readonly Role[];
  /** Roles that do not get this entry, because they use another page instead. */
  unless?: readonly Role[];
  /** Whether `to` is an address outside the console. */
  isOutside?: boolean;
  /** Whether the entry shows the number of runs that wait for a person. */
  countsWaiting?: boolean;
}

export interface NavigationGroup {
  label: string;
  entries: NavigationEntry[];
  /** Whether the group stays at the bottom while the other groups scroll. */
  isOwn?: boolean;
}

const EVERYONE: readonly Role[] = ['user', 'auditor'];

const GROUPS: readonly NavigationGroup[] = [
  {
    label: 'Overview',
    entries: [
      { label: 'Dashboard', to: '/', icon: IconLayoutDashboard, audience: PROJECT_ROLES },
      { label: 'Get started', to: '/setup', icon: IconRocket, audience: ['user'] },
      { label: 'Chat', to: '/talk', icon: IconMessages, audience: PROJECT_ROLES },
      { label: 'Chat', to: CHAT, icon: IconMessages, audience: ['user'], unless: PROJECT_ROLES, isOutside: true },
      { label: 'Inbox', to: '/inbox', icon: IconInbox, audience: ['user'], countsWaiting: true },
      { label: 'Runs', to: '/runs', icon: IconActivity, audience: ['user'] },
      { label: 'Usage', to: '/usage', icon: IconChartBar, audience: PROJECT_ROLES },
    ],
  },
  {
    label: 'Build',
    entries: [
      { label: 'Agents', to: '/build/agents', icon: IconRobot, audience: PROJECT_ROLES },
      { label: 'Models', to: '/build/models', icon: IconCpu, audience: PROJECT_ROLES },
      { label: 'Skills', to: '/build/skills', icon: IconSparkles, audience: PROJECT_ROLES },
      { label: 'MCP servers', to: '/build/mcp', icon: IconPlug, audience: PROJECT_ROLES },
      { label: 'Content', to: '/build/content', icon: IconNotebook, audience: PROJECT_ROLES },
      { label: 'Plugins', to: '/build/plugins', icon: IconPuzzle, audience: PROJECT_ROLES },
      { label: 'Tool policy', to: '/build/tool-policy', icon: IconShieldCheck, audience: PROJECT_ROLES },
      { label: 'Guards', to: '/build/guards', icon: IconEyeOff, audience: PROJECT_ROLES },
      { label: 'Files', to: '/build/files', icon: IconFiles, audience: PROJECT_ROLES },
    ],
  },
  {
    label: 'Prompts',
    entries: [
      { label: 'Prompts', to: '/prompts', icon: IconTemplate, audience: PROJECT_ROLES },
      { label: 'Blocks', to: '/blocks', icon: IconBlocks, audience: PROJECT_ROLES },
      { label: 'Conversations', to: '/conversations', icon: IconMessage2, audience: PROJECT_ROLES },
    ],
  },
  {
    label: 'People and access',
    entries: [
      { label: 'Users', to: '/access/users', icon: IconUsers, audience: PROJECT_ROLES },
      { label: 'Projects', to: '/enterprises', icon: IconBuilding, audience: ['platform_admin'] },
    ],
  },
  {
    label: 'Operations',
    entries: [
      { label: 'Audit log', to: '/audit', icon: IconListSearch, audience: AUDIT_ROLES },
      { label: 'Jobs', to: '/jobs', icon: IconClockPlay, audience: ['admin'] },
      { label: 'Triggers', to: '/triggers', icon: IconBolt, audience: PROJECT_ROLES },
      { label: 'Webhooks', to: '/webhooks', icon: IconWebhook, audience: PROJECT_ROLES },
      { label: 'Budgets', to: '/budgets', icon: IconCoins, audience: PROJECT_ROLES },
      { label: 'Limits', to: '/limits', icon: IconGauge, audience: PROJECT_ROLES },
      { label: 'Monthly report', to: '/reports/internal', icon: IconReportMoney, audience: ['platform_admin'] },
    ],
  },
  {
    label: 'Account',
    isOwn: true,
    entries: [
      { label: 'Profile', to: '/profile', icon: IconUserCircle, audience: EVERYONE },
      { label: 'Settings', to: '/settings', icon: IconSettings, audience: ['user'] },
    ],
  },
];

/** Returns the pages that a user with these roles may open: no request of these pages is answered 403. */
export function navigationFor(roles: readonly string[]): NavigationGroup[] {
  return GROUPS.map(({ entries, ...group }) => ({
    ...group,
    entries: entries.filter(({ audience, unless = [] }) => hasRole(roles, audience) && !hasRole(roles, unless)),
  })).filter(({ entries }) => entries.length > 0);
}
