import type { Icon } from '@tabler/icons-react';
import {
  IconBuilding,
  IconClockPlay,
  IconLayoutDashboard,
  IconListSearch,
  IconReportMoney,
  IconRocket,
  IconSettings,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react';

/** Who sees a page: the least role that the server lets in. */
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
}

const GROUPS: readonly NavigationGroup[] = [
  {
    label: 'Overview',
    entries: [
      { label: 'Dashboard', to: '/', icon: IconLayoutDashboard, audience: 'admin' },
      { label: 'Set up', to: '/setup', icon: IconRocket, audience: 'user' },
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
      { label: 'Audit trail', to: '/audit', icon: IconListSearch, audience: 'admin' },
      { label: 'Jobs', to: '/jobs', icon: IconClockPlay, audience: 'admin' },
      { label: 'Internal report', to: '/reports/internal', icon: IconReportMoney, audience: 'platform_admin' },
    ],
  },
  {
    label: 'You',
    entries: [
      { label: 'Profile', to: '/profile', icon: IconUserCircle, audience: 'user' },
      { label: 'Settings', to: '/settings', icon: IconSettings, audience: 'user' },
    ],
  },
];

/** The pages that someone with these roles may open: nothing there answers 403. */
export function navigationFor(roles: readonly string[]): NavigationGroup[] {
  return GROUPS.map(({ label, entries }) => ({
    label,
    entries: entries.filter(({ audience }) => roles.includes(audience)),
  })).filter(({ entries }) => entries.length > 0);
}
