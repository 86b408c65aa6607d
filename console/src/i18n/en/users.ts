import type { users as korean } from '../ko/users.ts';
import type { Translated } from '../translated.ts';

export const users: Translated<typeof korean> = {
  title: 'Users',
};
