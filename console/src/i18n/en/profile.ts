import type { profile as korean } from '../ko/profile.ts';
import type { Translated } from '../translated.ts';

export const profile: Translated<typeof korean> = {
  title: 'Profile',
};
