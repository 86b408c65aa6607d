import type { overview as korean } from '../ko/overview.ts';
import type { Translated } from '../translated.ts';

export const overview: Translated<typeof korean> = {
  title: 'Overview',
};
