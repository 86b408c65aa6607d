import type { settings as korean } from '../ko/settings.ts';
import type { Translated } from '../translated.ts';

export const settings: Translated<typeof korean> = {
  title: 'Settings',
};
