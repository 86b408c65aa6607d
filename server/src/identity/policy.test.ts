import { type ConsoleAction, consoleActions, type Role, roles } from '@ai-studio/contract/console/roles.ts';
import { describe, expect, test } from 'vitest';
import { allowedActions, isAllowed, requireAction } from './policy.ts';

// The table of interface section 5 and decisions section 7, written out a second time: u user, d developer,
// a administrator, s administrator while there is a single tenant, o platform operator.
const table: Readonly<Record<ConsoleAction, string>> = {
  chat: 'uda',
  'chat.settings': 'da',
  'prompts.share': 'da',
  'prompts.manage': 'a',
  'agents.use': 'uda',
  'collections.search': 'uda',
  playground: 'da',
  'documents.parse': 'da',
  'keys.own': 'da',
  'models.view': 'dao',
  'agents.build': 'da',
  'collections.manage': 'da',
  'usage.own': 'da',
  'keys.all': 'a',
  'agents.approve': 'a',
  'users.manage': 'a',
  'usage.all': 'a',
  'audit.view': 'a',
  'settings.manage': 'a',
  'models.manage': 'so',
  'network.manage': 'so',
  'index.view': 'so',
  'tenants.manage': 'o',
};
const letters: Readonly<Record<Role, string>> = { user: 'u', developer: 'd', administrator: 'a' };

function expected(action: ConsoleAction, role: Role | null, operator: boolean, singleTenant: boolean): boolean {
  const mine = (role === null ? '' : letters[role]) + (operator ? 'o' : '');
  const single = role === 'administrator' && singleTenant ? 's' : '';
  return [...(mine + single)].some((letter) => table[action].includes(letter));
}

describe.each([...roles, null])('a person of role %s', (role) => {
  test.each([
    { operator: false, singleTenant: false },
    { operator: false, singleTenant: true },
    { operator: true, singleTenant: false },
    { operator: true, singleTenant: true },
  ])('may just what the table says: %o', ({ operator, singleTenant }) => {
    const standing = { role, operator, singleTenant };
    const actions = allowedActions(standing);
    for (const action of consoleActions) {
      const right = expected(action, role, operator, singleTenant);
      expect(isAllowed(standing, action), action).toBe(right);
      expect(actions.has(action), action).toBe(right);
      if (right) expect(() => requireAction(actions, action)).not.toThrow();
      else
        expect(() => requireAction(actions, action)).toThrow(
          expect.objectContaining({ code: 'forbidden', reason: 'role_missing' }),
        );
    }
  });
});
