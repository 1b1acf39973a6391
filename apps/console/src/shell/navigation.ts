import {
  type Icon,
  IconBlocks,
  IconBuilding,
  IconClockPlay,
  IconFiles,
  IconGauge,
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
  IconSparkles,
  IconTemplate,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';

/** The lowest role that the server admits to a page. */
type Audience = 'user' | 'admin' | 'platform_admin';

export interface NavigationEntry {
  label: string;
  to: string;
  icon: Icon;
  audience: Audience;
}

export interface NavigationGroup {
  label: string;
  entries: NavigationEntry[];
  /** Stays at the bottom while the rest scrolls. */
  isOwn?: boolean;
}

const GROUPS: readonly NavigationGroup[] = [
  {
    label: 'Overview',
    entries: [
      { label: 'Dashboard', to: '/', icon: IconLayoutDashboard, audience: 'admin' },
      { label: 'Get started', to: '/setup', icon: IconRocket, audience: 'user' },
      { label: 'Chat', to: '/talk', icon: IconMessages, audience: 'admin' },
    ],
  },
  {
    label: 'Build',
    entries: [
      { label: 'Agents', to: '/build/agents', icon: IconRobot, audience: 'admin' },
      { label: 'Skills', to: '/build/skills', icon: IconSparkles, audience: 'admin' },
      { label: 'MCP servers', to: '/build/mcp', icon: IconPlug, audience: 'admin' },
      { label: 'Content', to: '/build/content', icon: IconNotebook, audience: 'admin' },
      { label: 'Plugins', to: '/build/plugins', icon: IconPuzzle, audience: 'admin' },
      { label: 'Files', to: '/build/files', icon: IconFiles, audience: 'admin' },
    ],
  },
  {
    label: 'Prompts',
    entries: [
      { label: 'Prompts', to: '/prompts', icon: IconTemplate, audience: 'admin' },
      { label: 'Blocks', to: '/blocks', icon: IconBlocks, audience: 'admin' },
      { label: 'Conversations', to: '/conversations', icon: IconMessage2, audience: 'admin' },
    ],
  },
  {
    label: 'People and access',
    entries: [
      { label: 'Users', to: '/access/users', icon: IconUsers, audience: 'admin' },
      { label: 'Enterprises', to: '/enterprises', icon: IconBuilding, audience: 'platform_admin' },
    ],
  },
  {
    label: 'Operations',
    entries: [
      { label: 'Audit log', to: '/audit', icon: IconListSearch, audience: 'admin' },
      { label: 'Jobs', to: '/jobs', icon: IconClockPlay, audience: 'admin' },
      { label: 'Limits and usage', to: '/limits', icon: IconGauge, audience: 'admin' },
      { label: 'Usage and cost', to: '/reports/internal', icon: IconReportMoney, audience: 'platform_admin' },
    ],
  },
  {
    label: 'Account',
    isOwn: true,
    entries: [
      { label: 'Profile', to: '/profile', icon: IconUserCircle, audience: 'user' },
      { label: 'Settings', to: '/settings', icon: IconSettings, audience: 'user' },
    ],
  },
];

/** The pages that the user may open: no request there answers 403. */
export function navigationFor(roles: readonly string[]): NavigationGroup[] {
  return GROUPS.map(({ entries, ...group }) => ({
    ...group,
    entries: entries.filter(({ audience }) => roles.includes(audience)),
  })).filter(({ entries }) => entries.length > 0);
}
