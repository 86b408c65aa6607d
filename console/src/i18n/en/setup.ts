import type { setup as korean } from '../ko/setup.ts';
import type { Translated } from '../translated.ts';

export const setup: Translated<typeof korean> = {
  title: 'Set up',
};
