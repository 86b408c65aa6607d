import { z } from 'zod';

/** Roles of a person in a tenant. Source: interface section 5, decisions section 7. */
export const roles = ['user', 'developer', 'administrator'] as const;
/** Source: interface section 5; decisions section 7. */
export const Role = z.enum(roles).describe('Role of a person in a tenant');
export type Role = z.infer<typeof Role>;

/**
 * Everything that a person may or may not do in the console. `models.manage` changes what all tenants of the
 * installation share (model servers, weights), `network.manage` opens private hosts to their requests, `index.view` shows how the search
 * index fares; these and `tenants.manage` are the platform operator’s.
 */
export const consoleActions = [
  'chat',
  'chat.settings',
  'prompts.share',
  'prompts.manage',
  'playground',
  'documents.parse',
  'keys.own',
  'keys.all',
  'models.view',
  'models.manage',
  'agents.use',
  'agents.build',
  'agents.approve',
  'collections.search',
  'collections.manage',
  'users.manage',
  'usage.own',
  'usage.all',
  'audit.view',
  'settings.manage',
  'network.manage',
  'index.view',
  'tenants.manage',
] as const;
export const ConsoleAction = z.enum(consoleActions).describe('An action in the console that needs a permission');
export type ConsoleAction = z.infer<typeof ConsoleAction>;
