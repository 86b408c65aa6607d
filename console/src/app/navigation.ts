import {
  type Icon,
  IconActivity,
  IconBooks,
  IconBlockquote,
  IconBuilding,
  IconChartBar,
  IconClipboardCheck,
  IconCpu,
  IconFileText,
  IconFlask2,
  IconHistory,
  IconKey,
  IconMessages,
  IconMicrophone,
  IconRobot,
  IconSettings,
  IconShieldLock,
  IconStack2,
  IconTools,
  IconUsers,
  IconWorldShare,
} from '@tabler/icons-react';
import type { ko } from '../i18n/ko/index.ts';
import type { pagePermissions } from './page-permissions.ts';

/** Namespaces of words that have a title: those of pages. */
export type PageName = {
  [K in keyof typeof ko]: (typeof ko)[K] extends { title: string } ? K : never;
}[keyof typeof ko];

interface Entry {
  readonly to: string;
  readonly page: PageName & keyof typeof pagePermissions;
  readonly icon: Icon;
}

/** The main menu. Entries that the person may not open are left out, and groups without entries. */
export const navigation = [
  {
    group: 'work',
    entries: [
      { to: '/', page: 'overview', icon: IconActivity },
      { to: '/chat', page: 'chat', icon: IconMessages },
      { to: '/prompts', page: 'prompts', icon: IconBlockquote },
      { to: '/collections', page: 'collections', icon: IconBooks },
    ],
  },
  {
    group: 'build',
    entries: [
      { to: '/agents', page: 'agents', icon: IconRobot },
      { to: '/tools', page: 'tools', icon: IconTools },
      { to: '/playground', page: 'playground', icon: IconFlask2 },
      { to: '/parser', page: 'parser', icon: IconFileText },
      { to: '/speech', page: 'speech', icon: IconMicrophone },
      { to: '/batches', page: 'batches', icon: IconStack2 },
      { to: '/keys', page: 'keys', icon: IconKey },
    ],
  },
  {
    group: 'manage',
    entries: [
      { to: '/agent-reviews', page: 'reviews', icon: IconClipboardCheck },
      { to: '/models', page: 'models', icon: IconCpu },
      { to: '/network', page: 'network', icon: IconWorldShare },
      { to: '/users', page: 'users', icon: IconUsers },
      { to: '/usage', page: 'usage', icon: IconChartBar },
      { to: '/privacy', page: 'privacy', icon: IconShieldLock },
      { to: '/audit', page: 'audit', icon: IconHistory },
      { to: '/settings', page: 'settings', icon: IconSettings },
    ],
  },
  { group: 'platform', entries: [{ to: '/tenants', page: 'tenants', icon: IconBuilding }] },
] as const satisfies readonly { readonly group: keyof typeof ko.shell.groups; readonly entries: readonly Entry[] }[];
