import type { ConsoleAction } from '@ai-studio/contract/console/roles.ts';

/** Permissions that open a page: one of these is enough; an empty list is open to all. */
export const pagePermissions = {
  overview: ['models.view', 'users.manage', 'tenants.manage'],
  chat: ['chat'],
  prompts: ['chat'],
  agents: ['agents.build'],
  reviews: ['agents.approve'],
  tools: ['agents.build'],
  collections: ['collections.search', 'collections.manage'],
  playground: ['playground'],
  parser: ['documents.parse'],
  speech: ['playground'],
  batches: ['keys.own', 'keys.all'],
  keys: ['keys.own', 'keys.all'],
  models: ['models.view', 'models.manage'],
  users: ['users.manage'],
  usage: ['usage.own', 'usage.all'],
  privacy: ['playground', 'settings.manage'],
  audit: ['audit.view'],
  settings: ['settings.manage'],
  profile: [],
  network: ['network.manage'],
  tenants: ['tenants.manage'],
} as const satisfies Record<string, readonly ConsoleAction[]>;

/** A page below the shell. */
export type ShellPage = keyof typeof pagePermissions;
