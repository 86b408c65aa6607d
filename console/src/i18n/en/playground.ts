import type { playground as korean } from '../ko/playground.ts';
import type { Translated } from '../translated.ts';

export const playground: Translated<typeof korean> = {
  title: 'Playground',
};
