import type { usage as korean } from '../ko/usage.ts';
import type { Translated } from '../translated.ts';

export const usage: Translated<typeof korean> = {
  title: 'Usage',
};
