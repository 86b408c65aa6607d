import type { login as korean } from '../ko/login.ts';
import type { Translated } from '../translated.ts';

export const login: Translated<typeof korean> = {
  title: 'Sign in',
};
