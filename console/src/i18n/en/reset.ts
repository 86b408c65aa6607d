import type { reset as korean } from '../ko/reset.ts';
import type { Translated } from '../translated.ts';

export const reset: Translated<typeof korean> = {
  title: 'Choose a password',
};
